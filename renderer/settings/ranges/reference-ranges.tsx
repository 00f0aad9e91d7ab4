import { useState } from "react";
import type { OwnRange } from "../../../core/cardiac/reference/own-range.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useProgram } from "../../state/program.ts";
import { Button } from "../../ui/button.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { useRangeLimits } from "../../ui/language/range-limits.ts";
import { RangeForm } from "./range-form.tsx";

export function ReferenceRanges() {
  const text = useText();
  const ranges = useProgram((state) => state.ownRanges);
  const [opened, setEdited] = useState<OwnRange | null>(null);
  // As saved in the meantime at another workstation, so that its change is not overwritten.
  const edited = ranges.find(({ id }) => id === opened?.id) ?? opened;
  const remove = (range: OwnRange) =>
    attempt(async () => {
      const answer = await call("ranges.remove", { id: range.id });
      useProgram.getState().receiveRanges(answer.ranges);
      if (edited?.id === range.id) setEdited(null);
    });
  return (
    <div className="stack">
      <p className="quiet">{text("ranges.intro")}</p>
      <section className="card stack" aria-label={text("ranges.list")}>
        <h2>{text("ranges.list")}</h2>
        {ranges.length === 0 && <p className="quiet">{text("ranges.none")}</p>}
        {ranges.map((range) => (
          <RangeRow key={range.id} range={range} onEdit={() => setEdited(range)} onRemove={() => remove(range)} />
        ))}
      </section>
      <RangeForm key={edited?.id ?? "new"} edited={edited} onDone={() => setEdited(null)} />
    </div>
  );
}

function RangeRow({
  range,
  onEdit,
  onRemove,
}: {
  readonly range: OwnRange;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const text = useText();
  const format = useFormat();
  const limitsOf = useRangeLimits();
  const { source, enteredBy, enteredAt } = range;
  const label = measures.find(({ name }) => name === range.measure)?.label ?? range.measure;
  const what = `${label}, ${range.breed || text(`ranges.all_${range.species}`)}`;
  return (
    <div className="row spread" data-testid="own-range">
      <div>
        <strong>{what}</strong> {limitsOf(range)}
        <div>{source}</div>
        <div className="quiet fine">
          {text("ranges.entered", { who: enteredBy || "–", date: format.minute(enteredAt) })}
        </div>
      </div>
      <div className="row">
        <Button onClick={onEdit}>{text("ranges.edit", { what })}</Button>
        <Button onClick={onRemove}>{text("ranges.remove", { what })}</Button>
      </div>
    </div>
  );
}
