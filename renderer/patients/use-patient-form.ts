import { useRef, useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { faultText } from "../state/faults.ts";
import { fieldsOf, usePatients, type PatientFields } from "../state/patients.ts";
import { useText } from "../ui/language/language.ts";
import { hasWrongField } from "./patient-facts-fields.tsx";

export function usePatientForm(opened: Patient | null, initial: PatientFields) {
  const text = useText();
  const save = usePatients((state) => state.save);
  const [patient, setPatient] = useState(opened);
  const [fields, setFields] = useState(initial);
  const [fault, setFault] = useState<string | null>(null);
  const isSaving = useRef(false);
  const show = (shown: Patient | null, shownFields: PatientFields) => {
    setPatient(shown);
    setFields(shownFields);
    setFault(null);
  };
  const change = (changed: Partial<PatientFields>) => show(patient, { ...fields, ...changed });
  const runOnce = async (work: () => Promise<void>) => {
    if (isSaving.current) return;
    isSaving.current = true;
    try {
      await work();
    } catch (error) {
      setFault(faultText(error));
    } finally {
      isSaving.current = false;
    }
  };
  /** Saves valid input, then runs `then`; if that fails, a retry applies to the saved patient. */
  const submit = async (form: HTMLFormElement, then: (saved: Patient) => Promise<void>) => {
    if (fields.name.trim() === "") return setFault(text("common.nameFault"));
    setFault(null);
    if (hasWrongField(form, fields)) return;
    await runOnce(async () => {
      const saved = await save(patient, { ...fields, uuid: fields.uuid?.trim() || null });
      show(saved, fieldsOf(saved));
      await then(saved);
    });
  };
  return { patient, fields, fault, show, change, runOnce, submit };
}
