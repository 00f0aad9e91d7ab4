import { useEffect, useId, useRef } from "react";
import { breeds } from "../../core/cardiac/reference/reference-range.ts";
import type { PatientFields } from "../state/patients.ts";
import { Choice, TextField } from "../ui/fields/field.tsx";
import { PatientFactsFields } from "./patient-facts-fields.tsx";
import type { PatientFault } from "./use-patient-form.ts";
import { useText } from "../ui/language/language.ts";

export function PatientFieldset({
  fields,
  fault,
  onChange,
}: {
  readonly fields: PatientFields;
  readonly fault: PatientFault | null;
  readonly onChange: (change: Partial<PatientFields>) => void;
}) {
  const text = useText();
  const list = useId();
  const faulty = useRef<HTMLInputElement & HTMLParagraphElement>(null);
  // The dialog may have been scrolled past the error.
  useEffect(() => faulty.current?.focus(), [fault]);
  const faultOf = (field: PatientFault["field"]) =>
    fault?.field === field ? { fault: fault.text, ref: faulty } : { fault: null };
  const species = [
    { value: "", label: text("films.notStated") },
    { value: "dog", label: text("films.species_dog") },
    { value: "cat", label: text("films.species_cat") },
  ] as const;
  return (
    <>
      {fault?.field === null && (
        <p ref={faulty} className="fault-text" role="alert" tabIndex={-1}>
          {fault.text}
        </p>
      )}
      <TextField
        label={text("common.name")}
        value={fields.name}
        maxLength={120}
        {...faultOf("name")}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Choice
        label={text("films.species")}
        options={species}
        value={fields.species ?? ""}
        onChoose={(value) => onChange({ species: value || null })}
      />
      <TextField
        label={text("films.breed")}
        value={fields.breed}
        maxLength={120}
        list={fields.species !== "cat" ? list : undefined}
        onChange={(event) => onChange({ breed: event.target.value })}
      />
      <datalist id={list}>
        {Object.values(breeds).map(([name]) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label={text("films.owner")}
        value={fields.owner}
        maxLength={200}
        onChange={(event) => onChange({ owner: event.target.value })}
      />
      <PatientFactsFields fields={fields} onChange={onChange} />
      <TextField
        label={text("films.uuid")}
        note={text("films.uuidNote")}
        value={fields.uuid ?? ""}
        maxLength={200}
        {...faultOf("uuid")}
        onChange={(event) => onChange({ uuid: event.target.value })}
      />
    </>
  );
}
