import type { UsgScreening } from "../../core/contract/desktop/usg.ts";
import { timeAxis } from "../ui/chart/chart-scale.ts";
import { Chart } from "../ui/chart/chart.tsx";
import { useDateText } from "../ui/chart/use-date-text.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

const percent = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] } as const;

/** A cat's screenings over time with the threshold of the model; nothing for fewer than two. */
export function ScreeningCourse({
  screenings,
  threshold,
  onOpen,
}: {
  /** Newest first. */
  readonly screenings: readonly UsgScreening[];
  readonly threshold: number | null;
  readonly onOpen: (screening: UsgScreening) => void;
}) {
  const text = useText();
  const format = useFormat();
  const dateText = useDateText();
  if (screenings.length < 2) return null;
  const x = timeAxis(screenings.map(({ at }) => Date.parse(at)));
  const limit = threshold === null ? null : text("usg.courseThreshold", { limit: format.percent(threshold, 0) });
  return (
    <Chart
      label={text("usg.course")}
      hint={text("charts.hintOpen")}
      heightPx={220}
      isHigherWhereWide
      isCourse
      x={{ ...x, caption: "", text: dateText(x) }}
      y={{ ...percent, caption: text("usg.probability"), text: (value) => format.percent(value, 0) }}
      lines={threshold === null || limit === null ? [] : [{ at: threshold, kind: "threshold", name: limit }]}
      points={[...screenings].reverse().map((screening) => ({
        x: Date.parse(screening.at),
        y: screening.result.probability_impaired,
        shape: "circle",
        isFilled: threshold !== null && screening.result.probability_impaired >= threshold,
        name: text("usg.coursePoint", {
          value: format.percent(screening.result.probability_impaired),
          tier: text(`usg.tier_${screening.result.risk_tier}`),
          date: format.minute(screening.at),
        }),
        onOpen: () => onOpen(screening),
      }))}
    >
      {limit && <p className="quiet fine">{limit}</p>}
    </Chart>
  );
}
