import { useId, useState } from "react";
import type { FeatureKey } from "../../core/usg/features.ts";
import { Select } from "../ui/fields/field.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useLanguage, useText } from "../ui/language/language.ts";
import { readQuantity, signsOf, unitOfBare } from "./units/typed-quantity.ts";
import { useUnitText } from "./units/use-unit-text.ts";
import { useUsg } from "./usg-slice.ts";
import { useValueNote } from "./value-note.ts";

export function ValueField({ feature }: { readonly feature: FeatureKey }) {
  const text = useText();
  const format = useFormat();
  const id = useId();
  const locale = useLanguage((state) => state.locale);
  const unitText = useUnitText();
  // Input stays as typed while the field has the focus; afterwards it is formatted for the locale.
  const [typed, setTyped] = useState<string | null>(null);
  const entry = useUsg((state) => state.entries[feature]);
  const setEntry = useUsg((state) => state.setEntry);
  const setUnit = useUsg((state) => state.setUnit);
  const { note, isFault } = useValueNote(feature, entry, typed !== null);
  const name = text(`usg.feature_${feature}`);
  const type = (raw: string) => {
    const quantity = readQuantity(feature, raw, signsOf(locale));
    setTyped(raw);
    // A number without a unit keeps the unit of the field; an age keeps only a stated one, and must state it anew.
    const isKept = feature !== "age_months" || (entry.isStated === true && raw.trim() !== "");
    const unit = quantity?.unit ?? (isKept ? entry.unit : quantity && unitOfBare(feature, quantity.value));
    const isStated = (isKept && entry.isStated === true) || (quantity?.unit ?? null) !== null;
    setEntry(feature, { text: quantity ? String(quantity.value) : raw, unit, ...(isStated && { isStated }) });
  };
  return (
    <div className="value-field">
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        className="input data"
        autoComplete="off"
        spellCheck={false}
        value={typed ?? format.typed(entry.text)}
        aria-describedby={`${id}-note`}
        aria-invalid={isFault || undefined}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
      />
      <Select
        aria-label={text("usg.unitOf", { feature: name })}
        value={entry.unit ?? ""}
        onChange={(event) => {
          setTyped(null);
          setUnit(feature, event.target.value === "1" ? 1 : 0);
        }}
      >
        {entry.unit === null && <option value="">{text("usg.unitMissing")}</option>}
        {([0, 1] as const).map((unit) => (
          <option key={unit} value={unit}>
            {unitText(feature, unit)}
          </option>
        ))}
      </Select>
      <span id={`${id}-note`} className={`field-note ${isFault ? "fault-text" : ""}`} role="status">
        {note}
      </span>
    </div>
  );
}
