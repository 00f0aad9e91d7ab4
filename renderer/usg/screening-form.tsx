import { useId, useState, type FormEvent } from "react";
import { usgFeatures, type FeatureKey } from "../../core/usg/features.ts";
import { attempt } from "../state/faults.ts";
import { useProgram } from "../state/program.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/empty.tsx";
import { Select, TextArea } from "../ui/field.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { useToasts } from "../ui/toasts.tsx";
import { numberOf } from "../ui/language/typed-number.ts";
import { parseLabRow } from "./lab-row.ts";
import { unitsOf } from "./units.ts";
import { useUnitText } from "./use-unit-text.ts";
import { useUsg } from "./usg-slice.ts";

/** The five values, and a field that takes a copied laboratory row. */
export function ScreeningForm({ patientId }: { readonly patientId: string | null }) {
  const text = useText();
  const { entries, fault, isBusy, screen, clear, takeOver } = useUsg();
  const clinicCode = useProgram((state) => state.settings?.clinicCode ?? "");
  const [row, setRow] = useState("");
  const isComplete = usgFeatures.every(({ key }) => entries[key].text.trim() !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt(() => screen(patientId, clinicCode || null));
  };
  const read = (pasted: string) => {
    const found = parseLabRow(pasted);
    const count = Object.keys(found).length;
    takeOver(found);
    setRow(count > 0 ? "" : pasted);
    useToasts.getState().show("note", text("usg.pasteTook", { count }));
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label={text("usg.values")}>
      <h2>{text("usg.values")}</h2>
      {usgFeatures.map(({ key, minimum, maximum }) => (
        <ValueField key={key} feature={key} minimum={minimum} maximum={maximum} />
      ))}
      {fault && <Notice tone="fault">{fault}</Notice>}
      <div className="row no-print">
        <button type="submit" className="button primary" disabled={!isComplete || isBusy}>
          {text("usg.screen")}
        </button>
        <Button tone="plain" onClick={clear}>
          {text("usg.clear")}
        </Button>
      </div>
      <div className="no-print">
        <TextArea
          label={text("usg.paste")}
          note={text("usg.pasteNote")}
          rows={2}
          value={row}
          onChange={(event) => setRow(event.target.value)}
          onPaste={(event) => {
            event.preventDefault();
            read(event.clipboardData.getData("text"));
          }}
          onBlur={() => row.trim() && read(row)}
        />
      </div>
    </form>
  );
}

function ValueField({
  feature,
  minimum,
  maximum,
}: {
  readonly feature: FeatureKey;
  readonly minimum: number;
  readonly maximum: number;
}) {
  const text = useText();
  const format = useFormat();
  const id = useId();
  // While it is typed a number stays as it is; then it is written as the language writes numbers.
  const [isTyping, setTyping] = useState(false);
  const entry = useUsg((state) => state.entries[feature]);
  const setEntry = useUsg((state) => state.setEntry);
  const setUnit = useUsg((state) => state.setUnit);
  const unitText = useUnitText();
  const name = text(`usg.feature_${feature}`);
  const { factor } = unitsOf[feature][entry.unit];
  const limit = (value: number) =>
    format.number(
      Number((value / factor).toPrecision(3)),
      value / factor < 10 && !Number.isInteger(Number((value / factor).toPrecision(3))) ? 1 : 0,
    );
  const range = { from: limit(minimum), to: limit(maximum), unit: unitText(feature, entry.unit) };
  const value = numberOf(entry.text);
  const isNumber = entry.text.trim() === "" || value !== null;
  return (
    <div className="value-field">
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        className="input data"
        inputMode="decimal"
        autoComplete="off"
        value={isTyping ? entry.text : format.typed(entry.text)}
        aria-describedby={`${id}-note`}
        aria-invalid={!isNumber || undefined}
        onChange={(event) => {
          setTyping(true);
          setEntry(feature, { ...entry, text: event.target.value });
        }}
        onBlur={() => setTyping(false)}
      />
      <Select
        aria-label={text("usg.unitOf", { feature: name })}
        value={entry.unit}
        onChange={(event) => setUnit(feature, event.target.value === "1" ? 1 : 0)}
      >
        {([0, 1] as const).map((unit) => (
          <option key={unit} value={unit}>
            {unitText(feature, unit)}
          </option>
        ))}
      </Select>
      <span id={`${id}-note`} className={`field-note ${isNumber ? "" : "fault-text"}`}>
        {isNumber ? text("usg.plausible", range) : text("usg.notNumber")}
      </span>
    </div>
  );
}
