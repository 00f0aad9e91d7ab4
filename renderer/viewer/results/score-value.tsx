import type { KnownMeasure } from "../../../core/cardiac/measures/measures.ts";
import type { intervalOf } from "../../../core/cardiac/score-intervals.ts";
import { Hint } from "../../ui/button.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

export function ScoreValue({
  measure: { name, label },
  value,
  isFirst,
  interval = null,
  isByHand = false,
}: {
  readonly measure: KnownMeasure;
  readonly value: number | null;
  readonly isFirst?: boolean;
  readonly interval?: ReturnType<typeof intervalOf>;
  readonly isByHand?: boolean;
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
        <Hint
          text={text(isByHand ? "result.intervalByHand" : "result.intervalNote", {
            percent: format.number(100 * interval.coverage, 0),
          })}
        >
          <button type="button" className="interval quiet data" data-testid={`${name}-interval`}>
            {`${format.score(interval.low)}–${format.score(interval.high)}`}
            {isFirst && <span className="fine"> ({format.percent(interval.coverage, 0)})</span>}
          </button>
        </Hint>
      )}
    </div>
  );
}
