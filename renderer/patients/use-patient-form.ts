import { useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { ProgramError } from "../state/connection.ts";
import { faultText } from "../state/faults.ts";
import { useOnce } from "../state/use-once.ts";
import { fieldsOf, usePatients, type PatientFields } from "../state/patients.ts";
import { useText } from "../ui/language/language.ts";
import { hasWrongField } from "./patient-facts-fields.tsx";

/** An error below its field, or above all fields. */
export type PatientFault = { readonly field: "name" | "uuid" | null; readonly text: string };

export function usePatientForm(opened: Patient | null, initial: PatientFields) {
  const text = useText();
  const save = usePatients((state) => state.save);
  const [patient, setPatient] = useState(opened);
  const [fields, setFields] = useState(initial);
  const [fault, setFault] = useState<PatientFault | null>(null);
  const once = useOnce();
  const show = (shown: Patient | null, shownFields: PatientFields) => {
    setPatient(shown);
    setFields(shownFields);
    setFault(null);
  };
  const change = (changed: Partial<PatientFields>) => show(patient, { ...fields, ...changed });
  const runOnce = (work: () => Promise<void>) =>
    once(() =>
      work().catch((error: unknown) => setFault({ field: isUuidTaken(error) ? "uuid" : null, text: faultText(error) })),
    );
  /** Saves valid input, then runs `then`; if that fails, a retry applies to the saved patient. */
  const submit = (form: HTMLFormElement, then: (saved: Patient) => Promise<void>) => {
    if (fields.name.trim() === "") return setFault({ field: "name", text: text("common.nameFault") });
    setFault(null);
    if (hasWrongField(form, fields)) return;
    runOnce(async () => {
      const saved = await save(patient, { ...fields, uuid: fields.uuid?.trim() || null });
      show(saved, fieldsOf(saved));
      await then(saved);
    });
  };
  return { patient, fields, fault, show, change, runOnce, submit };
}

function isUuidTaken(error: unknown): boolean {
  return error instanceof ProgramError && error.reason?.name === "uuidTaken";
}
