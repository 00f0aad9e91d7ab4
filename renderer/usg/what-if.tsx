import { usgFeatures } from "../../core/usg/features.ts";
import { Button } from "../ui/button.tsx";
import { Slider } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import { useTypedValue } from "./units/use-typed-value.ts";
import { useUsg } from "./usg-slice.ts";

/** Ranges and steps of the sliders: values common in cats, not all plausible values. */
const scales = {
  BUN: { min: 5, max: 150, step: 1 },
  CREATININE: { min: 0.2, max: 10, step: 0.1 },
  HGB: { min: 4, max: 20, step: 0.1 },
  "ABSOLUTE LYMPHOCYTES": { min: 200, max: 12_000, step: 100 },
  age_months: { min: 1, max: 264, step: 1 },
} as const;

export function WhatIfSliders() {
  const text = useText();
  const typedValue = useTypedValue();
  const { screening, whatIf, imagine, resetWhatIf } = useUsg();
  if (!screening) return null;
  const values = whatIf?.values ?? screening.values;
  return (
    <section className="card stack no-print" aria-label={text("usg.whatIf")}>
      <div className="page-head">
        <h2>{text("usg.whatIf")}</h2>
        <Button tone="plain" disabled={whatIf === null} onClick={resetWhatIf}>
          {text("usg.whatIfReset")}
        </Button>
      </div>
      <p className="quiet">{text("usg.whatIfNote")}</p>
      {usgFeatures.map(({ key }) => {
        const { min, max, step } = scales[key];
        const name = text(`usg.feature_${key}`);
        return (
          <div key={key} className="what-if-row">
            <span>{name}</span>
            <Slider
              label={name}
              value={Math.min(max, Math.max(min, values[key]))}
              min={min}
              max={max}
              step={step}
              onChange={(value) => imagine(key, value)}
            />
            <span className="data">{typedValue(key, values[key])}</span>
          </div>
        );
      })}
    </section>
  );
}
