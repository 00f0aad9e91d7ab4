import { useState } from "react";
import { isPossibleBirthDate } from "../../core/age.ts";
import { localDay } from "../../core/local-day.ts";
import type { PatientFields } from "../state/patients.ts";
import { DateField } from "../ui/fields/date-field.tsx";
import { Choice, TextField } from "../ui/fields/field.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { numberOf } from "../ui/language/typed-number.ts";

type FieldsProps = {
  readonly fields: PatientFields;
  readonly onChange: (change: Partial<PatientFields>) => void;
};

/** Whether the form contains invalid input; focuses its field, which shows the error. */
export function hasWrongField(form: HTMLFormElement, { weightKg, birthDate }: PatientFields): boolean {
  const isWrong = !form.checkValidity() || Number.isNaN(weightKg) || isWrongBirthDate(birthDate);
  if (isWrong) form.querySelector<HTMLElement>("input:is(:invalid, [aria-invalid=true])")?.focus();
  return isWrong;
}

function isWrongBirthDate(birthDate: PatientFields["birthDate"]): boolean {
  return Boolean(birthDate) && !isPossibleBirthDate(birthDate ?? "", localDay(new Date()));
}

export function PatientFactsFields({ fields, onChange }: FieldsProps) {
  const text = useText();
  const notStated = { value: "", label: text("films.notStated") };
  return (
    <>
      <div className="field-pair">
        <Choice
          label={text("films.sex")}
          options={[
            notStated,
            { value: "male", label: text("films.sex_male") },
            { value: "female", label: text("films.sex_female") },
          ]}
          value={fields.sex ?? ""}
          onChoose={(sex) => onChange({ sex: sex === "male" || sex === "female" ? sex : null })}
        />
        <Choice
          label={text("films.neutered")}
          options={[
            notStated,
            { value: "yes", label: text("films.neutered_yes") },
            { value: "no", label: text("films.neutered_no") },
          ]}
          value={fields.isNeutered === null || fields.isNeutered === undefined ? "" : fields.isNeutered ? "yes" : "no"}
          onChoose={(said) => onChange({ isNeutered: said === "" ? null : said === "yes" })}
        />
      </div>
      <div className="field-pair">
        <DateField
          label={text("films.birthDate")}
          value={fields.birthDate ?? ""}
          fault={isWrongBirthDate(fields.birthDate) ? text("films.birthDateFault") : null}
          onChange={(birthDate) => onChange({ birthDate: birthDate || null })}
        />
        <WeightField fields={fields} onChange={onChange} />
      </div>
      <TextField
        label={text("films.microchip")}
        value={fields.microchip ?? ""}
        maxLength={40}
        onChange={(event) => onChange({ microchip: event.target.value || null })}
      />
    </>
  );
}

/** An invalid weight stays as typed, with an error below, and is stored as NaN, which `hasWrongField` finds. */
function WeightField({ fields: { weightKg = null }, onChange }: FieldsProps) {
  const text = useText();
  const format = useFormat();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = weightKg === null ? "" : format.typed(String(weightKg));
  const isFault = Number.isNaN(weightKg);
  // Another patient's weight replaces the typed text.
  const isTyped = typed !== null && Object.is(weightOf(typed), weightKg);
  return (
    <TextField
      label={text("films.weightKg")}
      inputMode="decimal"
      value={isTyped ? typed : shown}
      fault={isFault ? text("films.weightFault") : null}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange({ weightKg: weightOf(event.target.value) });
      }}
      onBlur={() => !isFault && setTyped(null)}
    />
  );
}

/** [kg]; null for an empty text, NaN for an invalid one. */
function weightOf(typed: string): number | null {
  if (typed.trim() === "") return null;
  const value = numberOf(typed);
  return value !== null && value > 0 && value <= 200 ? value : Number.NaN;
}
