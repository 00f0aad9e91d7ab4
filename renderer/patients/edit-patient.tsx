import { useState, type FormEvent } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { attempt, faultText } from "../state/faults.ts";
import { fieldsOf, usePatients, type PatientFields } from "../state/patients.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { hasWrongField } from "./patient-facts-fields.tsx";
import { PatientFieldset } from "./patient-fieldset.tsx";

/** A patient's data, without a film in between. */
export function EditPatient({ patient, onClose }: { readonly patient: Patient; readonly onClose: () => void }) {
  const text = useText();
  const save = usePatients((state) => state.save);
  const [opened] = useState(patient);
  const [fields, setFields] = useState<PatientFields>(fieldsOf(opened));
  const [fault, setFault] = useState<string | null>(null);
  const change = (changed: Partial<PatientFields>) => {
    setFields({ ...fields, ...changed });
    setFault(null);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (fields.name.trim() === "") return setFault(text("films.nameMissing"));
    setFault(null);
    if (hasWrongField(event.currentTarget, fields)) return;
    try {
      await save(opened, fields);
      onClose();
    } catch (error) {
      setFault(faultText(error));
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={text("films.editPatient")}>
      <form className="stack" onSubmit={(event) => attempt(() => submit(event))}>
        <PatientFieldset fields={fields} fault={fault} onChange={change} />
        <div className="row end">
          <Button tone="plain" onClick={onClose}>
            {text("common.cancel")}
          </Button>
          <button type="submit" className="button primary">
            {text("common.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
