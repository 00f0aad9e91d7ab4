import { useId, useRef, useState, type FormEvent } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { attempt, faultText } from "../state/faults.ts";
import { fieldsOf, newPatientFields, usePatients, type PatientFields } from "../state/patients.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { hasWrongField } from "./patient-facts-fields.tsx";
import { PatientFieldset } from "./patient-fieldset.tsx";

/** A patient's data, or a new patient's (null), without a film in between. */
export function EditPatient({
  patient,
  species = null,
  onSaved,
  onClose,
}: {
  readonly patient: Patient | null;
  readonly species?: Patient["species"];
  readonly onSaved?: (patient: Patient) => void;
  readonly onClose: () => void;
}) {
  const text = useText();
  const save = usePatients((state) => state.save);
  const [opened] = useState(patient);
  const [fields, setFields] = useState<PatientFields>(() => (opened ? fieldsOf(opened) : newPatientFields(species)));
  const [fault, setFault] = useState<string | null>(null);
  const isSaving = useRef(false);
  const id = useId();
  const change = (changed: Partial<PatientFields>) => {
    setFields({ ...fields, ...changed });
    setFault(null);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSaving.current) return;
    if (fields.name.trim() === "") return setFault(text("films.nameMissing"));
    setFault(null);
    if (hasWrongField(event.currentTarget, fields)) return;
    isSaving.current = true;
    try {
      const saved = await save(opened, { ...fields, uuid: fields.uuid?.trim() || null });
      onSaved?.(saved);
      onClose();
    } catch (error) {
      setFault(faultText(error));
    } finally {
      isSaving.current = false;
    }
  };
  const foot = (
    <>
      <Button tone="plain" onClick={onClose}>
        {text("common.cancel")}
      </Button>
      <Button tone="primary" type="submit" form={id}>
        {text("common.save")}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={text(opened ? "films.editPatient" : "films.newPatient")} foot={foot}>
      <form id={id} className="stack" onSubmit={(event) => attempt(() => submit(event))}>
        <PatientFieldset fields={fields} fault={fault} onChange={change} />
      </form>
    </Dialog>
  );
}
