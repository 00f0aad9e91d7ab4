import type { KnownMeasure } from "../../../core/cardiac/measures/measures.ts";
import type { intervalOf } from "../../../core/cardiac/score-intervals.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

/** A score in large figures with its unit. */
export function ScoreValue({
  measure: { name, label },
  value,
  isFirst,
  interval = null,
}: {
  readonly measure: KnownMeasure;
  readonly value: number | null;
  readonly isFirst?: boolean;
  /** Where the value lies with a probability of `coverage`. */
  readonly interval?: ReturnType<typeof intervalOf>;
}) {
  const text = useText();
  const format = useFormat();
  return (
    <div>
      <abbr className="score-name" title={text(`result.${name}Long`)}>
        {label}
      </abbr>
      <div className={`score-value ${isFirst ? "" : "second"}`} data-testid={name}>
        {format.score(value)}
        {value !== null && <small aria-label={text("result.unitLong")}>{text("result.unit")}</small>}
      </div>
      {interval && value !== null && (
        <div className="quiet fine data" data-testid={`${name}-interval`}>
          {`${format.number(interval.low, 1)}–${format.number(interval.high, 1)} (${format.number(100 * interval.coverage, 0)} %)`}
        </div>
      )}
    </div>
  );
}
