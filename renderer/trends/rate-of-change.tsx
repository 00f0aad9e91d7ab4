import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { markedRise } from "../../core/cardiac/reference/trend.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

/** Rate of change of a score; a marked rise shows its dates and the rule applied. */
export function RateOfChange({
  measure,
  rate,
}: {
  readonly measure: KnownMeasure;
  readonly rate: DesktopResponse<"trends.get">["vhs"];
}) {
  const text = useText();
  const format = useFormat();
  const rise = rate?.isMarked ? rate.largestRise : null;
  return (
    <figcaption className="rate">
      <h2>{measure.label}</h2>
      <span className="quiet">
        {text("common.labelled", { label: text("trends.rate") })}{" "}
        {rate ? text("trends.perMonth", { change: format.signed(rate.perMonth, 2) }) : text("trends.noRate")}
      </span>
      {rise && (
        <div className="tier review" data-testid="marked-rise">
          <Icon name="alert" />
          <span>
            {text("trends.markedRise", {
              change: format.score(rise.change),
              from: format.day(rise.fromAt),
              to: format.day(rise.toAt),
            })}
            <span className="fine quiet rule">
              {text("trends.markedRule", {
                change: format.number(markedRise.vertebrae, 1),
                months: markedRise.months,
              })}
              . {markedRise.source} (
              {text("trends.markedSource", { change: format.number(markedRise.beforeFailurePerMonth, 2) })})
            </span>
          </span>
        </div>
      )}
    </figcaption>
  );
}
