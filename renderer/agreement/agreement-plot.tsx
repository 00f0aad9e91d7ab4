import { differenceOf, meanOf, shownDifference, type Agreement } from "../../core/cardiac/agreement/agreement.ts";
import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import type { AgreementPair } from "../../core/contract/desktop/trends/agreement.ts";
import type { MarkShape } from "../ui/chart/chart-point.ts";
import { valueAxis } from "../ui/chart/chart-scale.ts";
import { Chart, type ChartProps } from "../ui/chart/chart.tsx";
import { showFilm } from "../state/films/show-film.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

const shapes = {
  independent: "circle",
  corrected: "square",
  by_hand: "diamond",
  accepted: "square",
} as const satisfies Readonly<Record<AgreementPair["decision"], MarkShape>>;

/** Bland–Altman plot: difference over mean of each film, with bias and limits of agreement. */
export function AgreementPlot({
  measure,
  pairs,
  agreement,
}: {
  readonly measure: KnownMeasure;
  readonly pairs: readonly AgreementPair[];
  readonly agreement: Agreement | null;
}) {
  const text = useText();
  const format = useFormat();
  const sorted = [...pairs].sort((a, b) => meanOf(a) - meanOf(b));
  const ends = agreement ? [agreement.lower.low, agreement.upper.high] : [];
  const x = valueAxis(sorted.map(meanOf), 8);
  const y = valueAxis([0, ...sorted.map(differenceOf), ...ends], 8);
  const used = [...new Set(sorted.map(({ decision }) => decision))];
  return (
    <Chart
      label={text("agreement.plot", { score: measure.label })}
      hint={text("charts.hintOpen")}
      heightPx={380}
      isHigherWhereWide
      x={{ ...x, caption: text("agreement.axisMean", { score: measure.label }), text: (at) => format.number(at, 1) }}
      y={{ ...y, caption: text("agreement.axisDifference"), text: (at) => format.signed(at, 2) }}
      {...drawn(agreement)}
      legend={used.map((decision) => ({
        shape: shapes[decision],
        name: text(`agreement.decision_${decision}`),
      }))}
      points={sorted.map(({ filmId, ...pair }) => ({
        x: meanOf(pair),
        y: differenceOf(pair),
        shape: shapes[pair.decision],
        name: text("agreement.point", {
          date: format.day(pair.at),
          network: format.number(pair.network, 2),
          person: format.number(pair.person, 2),
          difference: format.signed(shownDifference(pair), 2),
        }),
        onOpen: filmId === null ? undefined : () => showFilm(filmId),
      }))}
    >
      {agreement && <p className="quiet fine">{text("agreement.key")}</p>}
    </Chart>
  );
}

function drawn(agreement: Agreement | null): Pick<ChartProps, "bands" | "lines"> {
  const zero = { at: 0, kind: "zero", name: "zero" } as const;
  if (!agreement) return { lines: [zero] };
  const { bias, lower, upper } = agreement;
  return {
    bands: Object.entries({ bias, lower, upper }).map(([name, { low, high }]) => ({
      name,
      from: low,
      to: high,
      kind: "interval" as const,
    })),
    lines: [
      zero,
      { at: bias.value, kind: "mean", name: "bias" },
      { at: lower.value, kind: "limit", name: "lower" },
      { at: upper.value, kind: "limit", name: "upper" },
    ],
  };
}
