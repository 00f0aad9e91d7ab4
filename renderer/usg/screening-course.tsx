import type { UsgScreening } from "../../core/contract/desktop/usg.ts";
import { timeAxis } from "../ui/chart/chart-scale.ts";
import { Chart } from "../ui/chart/chart.tsx";
import { useDateText } from "../ui/chart/use-date-text.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

const percent = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] } as const;

export function ScreeningCourse({
  screenings,
  onOpen,
}: {
  /** Newest first. */
  readonly screenings: readonly UsgScreening[];
  readonly onOpen: (screening: UsgScreening) => void;
}) {
  const text = useText();
  const format = useFormat();
  const dateText = useDateText();
  if (screenings.length < 2) return null;
  const x = timeAxis(screenings.map(({ at }) => Date.parse(at)));
  const thresholds = [...new Set(screenings.map(({ thresholdImpaired }) => thresholdImpaired))];
  const named = (threshold: number) => text("usg.courseThreshold", { limit: format.percent(threshold, 0) });
  return (
    <Chart
      label={text("usg.course")}
      hint={text("charts.hintOpen")}
      heightPx={220}
      isHigherWhereWide
      isCourse
      x={{ ...x, caption: "", text: dateText(x) }}
      y={{ ...percent, caption: text("usg.probability"), text: (value) => format.percent(value, 0) }}
      lines={thresholds.map((threshold) => ({ at: threshold, kind: "threshold", name: named(threshold) }))}
      points={[...screenings].reverse().map((screening) => ({
        x: Date.parse(screening.at),
        y: screening.result.probability_impaired,
        shape: "circle",
        isFilled: screening.result.classification === "impaired",
        name: text("usg.coursePoint", {
          value: format.percent(screening.result.probability_impaired),
          tier: text(`usg.tier_${screening.result.risk_tier}`),
          date: format.minute(screening.at),
        }),
        onOpen: () => onOpen(screening),
      }))}
    >
      {thresholds.map((threshold) => (
        <p key={threshold} className="quiet fine">
          {named(threshold)}
        </p>
      ))}
    </Chart>
  );
}
