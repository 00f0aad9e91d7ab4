import { useRef, useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { attempt, faultText } from "../state/faults.ts";
import { fieldsOf, newPatientFields, usePatients, type PatientFields } from "../state/patients.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { hasWrongField } from "./patient-facts-fields.tsx";
import { PatientFieldset } from "./patient-fieldset.tsx";

/** Dialog for a patient's data; `patient` is null for a new one. */
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
  const change = (changed: Partial<PatientFields>) => {
    setFields({ ...fields, ...changed });
    setFault(null);
  };
  const submit = async (form: HTMLFormElement) => {
    if (isSaving.current) return;
    if (fields.name.trim() === "") return setFault(text("films.nameMissing"));
    setFault(null);
    if (hasWrongField(form, fields)) return;
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
  return (
    <FormDialog
      onClose={onClose}
      title={text(opened ? "films.editPatient" : "films.newPatient")}
      submit={text("common.save")}
      onSubmit={(form) => attempt(() => submit(form))}
    >
      <PatientFieldset fields={fields} fault={fault} onChange={change} />
    </FormDialog>
  );
}
