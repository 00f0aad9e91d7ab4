import { useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { attempt } from "../state/faults.ts";
import { usePatients } from "../state/patients.ts";
import { useChannel } from "../state/queries.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { Notice } from "../ui/empty.tsx";
import { TextField } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import { showToast } from "../ui/notes/toasts.ts";

export function ErasePatient({ patient, onClose }: { readonly patient: Patient; readonly onClose: () => void }) {
  const text = useText();
  const { value, fault } = useChannel("patients.holdings", { patientId: patient.id });
  const [why, setWhy] = useState("");
  const [name, setName] = useState("");
  const [isErasing, setErasing] = useState(false);
  const isMeant = why.trim() !== "" && name.trim() === patient.name;
  const erase = () =>
    attempt(async () => {
      setErasing(true);
      try {
        const rows = await usePatients.getState().erase(patient.id, why.trim());
        showToast("note", text("privacy.erased", { rows }));
        await usePatients.getState().load();
        onClose();
      } finally {
        setErasing(false);
      }
    });
  return (
    <FormDialog
      onClose={onClose}
      title={text("privacy.eraseTitle", { name: patient.name })}
      description={text("privacy.eraseText")}
      submit={text("privacy.eraseForGood")}
      isDangerous
      canSubmit={isMeant && value !== null}
      isBusy={isErasing}
      onSubmit={erase}
    >
      {fault !== null && <Notice tone="fault">{fault}</Notice>}
      {value && (
        <>
          <p>{text("privacy.goes", { ...value.goes })}</p>
          <p>{text("privacy.stays", { billing: value.billing })}</p>
        </>
      )}
      {value && value.accounts.length > 1 && (
        <Notice tone="review">{text("privacy.accounts", { names: value.accounts.join(", ") })}</Notice>
      )}
      {value && value.backups.length > 0 && (
        <Notice tone="review">
          {text("privacy.copies", { copies: value.backups.length })}
          <span className="data fine copies">{value.backups.join("\n")}</span>
        </Notice>
      )}
      {value && value.ownData.length > 0 && (
        <Notice tone="review">
          {text("privacy.ownData")}
          <span className="data fine copies">{value.ownData.join("\n")}</span>
        </Notice>
      )}
      <TextField label={text("privacy.why")} value={why} onChange={(event) => setWhy(event.target.value)} />
      <TextField
        label={text("privacy.typeName", { name: patient.name })}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
