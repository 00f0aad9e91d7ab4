import { useState } from "react";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { useSecret } from "../../state/use-secret.ts";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { useText } from "../../ui/language/language.ts";

/** Requires the PIN of an administrator to turn sign-in on, since a mistyped PIN would lock everyone out. */
export function TurnOn({
  administrators,
  onClose,
  onTurnOn,
}: {
  readonly administrators: DesktopResponse<"people.list">["people"];
  readonly onClose: () => void;
  readonly onTurnOn: (personId: string, secret: string) => Promise<void>;
}) {
  const text = useText();
  const [personId, setPersonId] = useState(administrators[0]?.id ?? "");
  const { secret, setSecret, fault, isAsking, submit } = useSecret(async (typed) => {
    await onTurnOn(personId, typed);
    onClose();
  });
  return (
    <FormDialog
      title={text("people.turnOn")}
      description={text("people.turnOnText")}
      submit={text("people.turnOn")}
      canSubmit={secret !== "" && !isAsking}
      onSubmit={submit}
      onClose={onClose}
    >
      <Choice
        label={text("people.role_administrator")}
        value={personId}
        onChoose={setPersonId}
        options={administrators.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextField
        label={text("people.secretOf")}
        type="password"
        autoComplete="current-password"
        value={secret}
        maxLength={200}
        fault={fault}
        onChange={(event) => setSecret(event.target.value)}
      />
    </FormDialog>
  );
}
