import { useState } from "react";
import { roles, type Role } from "../../../core/people/roles.ts";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { NewSecret, useNewSecret } from "../../ui/fields/new-secret.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { useText } from "../../ui/language/language.ts";

export type PersonFields = { readonly name: string; readonly role: Role; readonly secret: string };

export function PersonDialog({
  title,
  given = { name: "", role: "veterinarian", secret: "" },
  asks,
  onClose,
  onSave,
}: {
  readonly title: string;
  readonly given?: PersonFields;
  /** `person`: name and role; `secret`: a PIN, twice. */
  readonly asks: readonly ("person" | "secret")[];
  readonly onClose: () => void;
  readonly onSave: (fields: PersonFields) => void;
}) {
  const text = useText();
  const [fields, setFields] = useState(given);
  const typed = useNewSecret();
  const { name, role } = fields;
  const canSave = (!asks.includes("person") || name.trim() !== "") && (!asks.includes("secret") || typed.isGood);
  return (
    <FormDialog
      title={title}
      submit={text("common.save")}
      canSubmit={canSave}
      onSubmit={() => onSave({ ...fields, name: name.trim(), secret: typed.secret })}
      onClose={onClose}
    >
      {asks.includes("person") && (
        <>
          <TextField
            label={text("common.name")}
            value={name}
            maxLength={100}
            onChange={(event) => setFields({ ...fields, name: event.target.value })}
          />
          <Choice
            label={text("people.role")}
            note={text(`people.may_${role}`)}
            value={role}
            onChoose={(next) => setFields({ ...fields, role: next })}
            options={roles.map((value) => ({ value, label: text(`people.role_${value}`) }))}
          />
        </>
      )}
      {asks.includes("secret") && <NewSecret label={text("people.secretOf")} typed={typed} />}
    </FormDialog>
  );
}
