import type { KnownMeasure } from "../../../core/cardiac/measures/measures.ts";
import type { ComparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import type { ReferenceRange } from "../../../core/cardiac/reference/reference-range.ts";
import {
  breedName,
  isBorderline,
  placeInRange,
  referenceRangeFor,
} from "../../../core/cardiac/reference/reference-ranges.ts";
import type { ScoreInterval } from "../../../core/cardiac/score-intervals.ts";
import { sourceParts, whoseRange } from "../../../core/cardiac/reference/reference-words.ts";
import { useProgram } from "../../state/program.ts";
import { useText } from "../../ui/language/language.ts";
import { useRangeLimits } from "../../ui/language/range-limits.ts";
import { Hint } from "../../ui/button.tsx";

export function ReferenceBar({
  measure,
  value,
  interval,
  animal,
}: {
  readonly measure: KnownMeasure;
  readonly value: number | null;
  readonly interval: ScoreInterval | null;
  readonly animal: ComparedAnimal;
}) {
  const ownRanges = useProgram((state) => state.ownRanges);
  const text = useText();
  const limitsOf = useRangeLimits();
  const range = referenceRangeFor(measure.name, animal.species, animal.breed, ownRanges);
  if (!range) return null;
  const { from, to } = measure.scale;
  const at = (vertebrae: number) => Math.min(100, Math.max(0, ((vertebrae - from) / (to - from)) * 100));
  const low = range.low ?? from;
  const place = value === null ? null : placeInRange(value, range);
  return (
    <div className="reference">
      <div className="row fine">
        <strong>
          {measure.label} {limitsOf(range)}
        </strong>
        {place && isBorderline(interval, range) ? (
          <Hint text={text("result.borderlineNote")}>
            <button type="button" className="place-in-range borderline" data-testid={`${measure.name}-borderline`}>
              {text("result.borderline", { place: text(`result.place_${place}`) })}
            </button>
          </Hint>
        ) : (
          place && <span className={place === "within" ? "quiet" : "tier review"}>{text(`result.place_${place}`)}</span>
        )}
      </div>
      <div className="range-bar" aria-hidden="true">
        <span className="scale" />
        <span className="band" style={{ left: `${at(low)}%`, width: `${at(range.high) - at(low)}%` }} />
        {interval && value !== null && (
          <span
            className="interval-band"
            style={{ left: `${at(interval.low)}%`, width: `${at(interval.high) - at(interval.low)}%` }}
          />
        )}
        {value !== null && <span className={`needle ${place ?? ""}`} style={{ left: `${at(value)}%` }} />}
      </div>
      <Source range={range} isSpeciesKnown={animal.isSpeciesKnown} />
    </div>
  );
}

function Source({ range, isSpeciesKnown }: { readonly range: ReferenceRange; readonly isSpeciesKnown: boolean }) {
  const text = useText();
  const whose = whoseRange(range, range.breed ? breedName(range.breed) : "", isSpeciesKnown, text);
  const source = sourceParts(range.source, text).join(" · ");
  return (
    <Hint text={source}>
      <button type="button" className="source quiet fine">
        {whose}, {text(`reference.band_${range.band}`)}
        {"\u00a0· "}
        <span className="citation">{source.split(/,| · /)[0]}</span>
      </button>
    </Hint>
  );
}
