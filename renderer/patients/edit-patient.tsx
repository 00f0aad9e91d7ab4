import type { Patient } from "../../core/contract/desktop/patients.ts";
import { fieldsOf, newPatientFields } from "../state/patients.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { PatientFieldset } from "./patient-fieldset.tsx";
import { usePatientForm } from "./use-patient-form.ts";

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
  const form = usePatientForm(patient, patient ? fieldsOf(patient) : newPatientFields(species));
  const close = async (saved: Patient) => {
    onSaved?.(saved);
    onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={text(form.patient ? "films.editPatient" : "films.newPatient")}
      submit={text("common.save")}
      onSubmit={(element) => form.submit(element, close)}
    >
      <PatientFieldset fields={form.fields} fault={form.fault} onChange={form.change} />
    </FormDialog>
  );
}
