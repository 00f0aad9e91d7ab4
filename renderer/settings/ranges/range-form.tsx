import { useState } from "react";
import { faultOfOwnRange } from "../../../core/cardiac/reference/own-range-fault.ts";
import type { OwnRange, OwnRangeFields } from "../../../core/cardiac/reference/own-range.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { speciesNames } from "../../../core/contract/desktop/patients.ts";
import { failureInWords } from "../../../core/language/failure-in-words.ts";
import { call } from "../../state/connection.ts";
import { useOnce } from "../../state/use-once.ts";
import { useDraftOver } from "../../ui/fields/draft-over.ts";
import { useProgram } from "../../state/program.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { numberOf } from "../../ui/language/typed-number.ts";

type Typed = Omit<OwnRangeFields, "low" | "high"> & { readonly low: string; readonly high: string };

const nothingTyped: Typed = { species: "dog", breed: "", measure: "vhs", low: "", high: "", source: "" };

export function RangeForm({ edited, onDone }: { readonly edited: OwnRange | null; readonly onDone: () => void }) {
  const text = useText();
  const format = useFormat();
  const ranges = useProgram((state) => state.ownRanges);
  const [typed, setTyped, saveDraft] = useDraftOver<Typed>(
    edited ? null : "range",
    edited ? typedOf(edited, format.plain) : nothingTyped,
  );
  const [isChecked, setIsChecked] = useState(false);
  const fields = fieldsOf(typed);
  const fault = faultOfOwnRange(
    fields,
    ranges.filter(({ id }) => id !== edited?.id),
  );
  const once = useOnce();
  const set = (change: Partial<Typed>) => setTyped({ ...typed, ...change });
  const faultAt = (field: NonNullable<typeof fault>["field"]) =>
    isChecked && fault?.field === field ? failureInWords({ code: "INVALID_FIELD", reason: fault.reason }, text) : null;
  const save = () => {
    setIsChecked(true);
    if (fault) return;
    once(async () => {
      await saveDraft(async () => {
        const answer = await call("ranges.save", { id: edited?.id ?? null, range: fields });
        setIsChecked(false);
        useProgram.getState().receiveRanges(answer.ranges);
      });
      onDone();
    });
  };
  const title = text(edited ? "ranges.editTitle" : "ranges.addTitle");
  return (
    <section className="card" aria-label={title}>
      <Form className="stack" onSubmit={save}>
        <h2>{title}</h2>
        <div className="range-fields">
          <Choice
            label={text("films.species")}
            value={typed.species}
            options={speciesNames.map((value) => ({ value, label: text(`films.species_${value}`) }))}
            onChoose={(species) => set({ species })}
          />
          <TextField
            label={text("films.breed")}
            note={text("ranges.breedNote")}
            fault={faultAt("breed")}
            value={typed.breed}
            maxLength={120}
            onChange={(event) => set({ breed: event.target.value })}
          />
          <Choice
            label={text("ranges.measure")}
            value={typed.measure}
            options={measures.map(({ name, label }) => ({ value: name, label }))}
            onChoose={(measure) => set({ measure })}
          />
          {(["low", "high"] as const).map((limit) => (
            <TextField
              key={limit}
              label={text(`ranges.${limit}`)}
              note={limit === "low" ? text("ranges.lowNote") : undefined}
              fault={faultAt(limit)}
              value={typed[limit]}
              inputMode="decimal"
              onChange={(event) => set({ [limit]: event.target.value })}
            />
          ))}
        </div>
        <TextField
          label={text("trends.source")}
          note={text("ranges.sourceNote")}
          fault={faultAt("source")}
          value={typed.source}
          maxLength={300}
          onChange={(event) => set({ source: event.target.value })}
        />
        <div className="row">
          <Button tone="primary" type="submit">
            {text(edited ? "common.save" : "ranges.add")}
          </Button>
          {edited && <Button onClick={onDone}>{text("common.cancel")}</Button>}
        </div>
      </Form>
    </section>
  );
}

function typedOf({ species, breed, measure, low, high, source }: OwnRange, plain: (value: number) => string): Typed {
  return { species, breed, measure, low: low === null ? "" : plain(low), high: plain(high), source };
}

/** Converts the typed text. An invalid limit becomes NaN, which validation rejects. */
function fieldsOf(typed: Typed): OwnRangeFields {
  const limit = (text: string) => numberOf(text) ?? NaN;
  return { ...typed, low: typed.low.trim() === "" ? null : limit(typed.low), high: limit(typed.high) };
}
