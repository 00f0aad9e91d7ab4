import { useId, useState } from "react";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { PatientList } from "../../patients/patient-list.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { useText } from "../../ui/language/language.ts";

export function AuditedPatient({ onChoose }: { readonly onChoose: (patientId: string | undefined) => void }) {
  const text = useText();
  const id = useId();
  const [patient, setPatient] = useState<Patient | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const change = (chosen: Patient | null) => {
    setPatient(chosen);
    setChoosing(false);
    onChoose(chosen?.id);
  };
  return (
    <div className="field">
      <span id={`${id}-label`} className="field-label">
        {text("films.patient")}
      </span>
      <Button id={id} aria-labelledby={`${id}-label ${id}`} aria-haspopup="dialog" onClick={() => setChoosing(true)}>
        {patient?.name ?? text("audit.everyPatient")}
      </Button>
      <Dialog
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        title={text("films.patient")}
        foot={<Button onClick={() => change(null)}>{text("audit.everyPatient")}</Button>}
      >
        <PatientList chosenId={patient?.id ?? null} onChoose={change} />
      </Dialog>
    </div>
  );
}
