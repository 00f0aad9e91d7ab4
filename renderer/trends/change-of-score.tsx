import { changeBetween } from "../../core/cardiac/agreement/change.ts";
import { changeText } from "../../core/cardiac/agreement/change-text.ts";
import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { fastRise, slopesInWords, valueBefore, type RateOfChange } from "../../core/cardiac/reference/trend.ts";
import { seriesOf } from "../../core/contract/desktop/trends/trend-series.ts";
import type { TrendPoint } from "../../core/contract/desktop/patients.ts";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

export function ChangeOfScore({
  measure,
  points,
  rate,
}: {
  readonly measure: KnownMeasure;
  readonly points: readonly TrendPoint[];
  readonly rate: RateOfChange | null;
}) {
  const text = useText();
  const format = useFormat();
  const [perMonth = "", low = "", high = ""] = rate ? slopesInWords(rate, format.number) : [];
  return (
    <figcaption className="rate">
      <h2>{measure.label}</h2>
      <LastChange measure={measure} points={points} />
      <span className="quiet">
        {text("common.labelled", { label: text("trends.rate") })}{" "}
        {rate ? text("trends.perMonth", { change: perMonth, low, high }) : text("trends.noRate")}
      </span>
      {rate?.isFast && (
        <div className="tier review" data-testid="fast-rise">
          <Icon name="alert" />
          <span>
            {text("trends.fastRise")}
            <span className="fine quiet rule">
              {text("trends.fastRule", { change: format.number(fastRise.perMonth, 2) })}. {fastRise.source} (
              {text("trends.fastSource", { change: format.number(fastRise.perMonth, 2) })})
            </span>
          </span>
        </div>
      )}
    </figcaption>
  );
}

/** Empty with fewer than two visits. */
function LastChange({ measure: { name }, points }: Pick<Parameters<typeof ChangeOfScore>[0], "measure" | "points">) {
  const text = useText();
  const format = useFormat();
  const series = seriesOf(points, name);
  const latest = series.at(-1);
  const before = latest && valueBefore(series, latest.atMs);
  if (!latest || !before) return null;
  const change = changeBetween(name, before, latest);
  return (
    <span
      className={change.isBeyondNoise ? "beyond-noise" : undefined}
      title={change.limit === null ? undefined : text("change.about")}
      data-testid="last-change"
    >
      {text("change.since", {
        change: changeText(change, { say: text, number: format.number }),
        date: format.day(new Date(before.atMs).toISOString()),
      })}
    </span>
  );
}
