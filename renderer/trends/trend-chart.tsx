import { comparedAnimal } from "../../core/cardiac/reference/compared-animal.ts";
import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { breedName, referenceRangeFor } from "../../core/cardiac/reference/reference-ranges.ts";
import type { ReferenceRange } from "../../core/cardiac/reference/reference-range.ts";
import { whoseRange } from "../../core/cardiac/reference/reference-words.ts";
import type { Patient, TrendPoint } from "../../core/contract/desktop/patients.ts";
import { showFilm } from "../state/films/show-film.ts";
import { useProgram } from "../state/program.ts";
import type { MarkShape } from "../ui/chart/chart-point.ts";
import { timeAxis, valueAxis } from "../ui/chart/chart-scale.ts";
import { Chart, type ChartProps } from "../ui/chart/chart.tsx";
import { useDateText } from "../ui/chart/use-date-text.ts";
import { useFormat } from "../ui/language/format.ts";
import { useRangeLimits } from "../ui/language/range-limits.ts";
import { usePaneSizes } from "../ui/panes/pane-sizes.ts";
import { useText } from "../ui/language/language.ts";
import { drawnRange, drawnSeries } from "./trend-series.ts";

const shapes = { model: "circle", person: "square", api: "diamond" } as const satisfies Readonly<
  Record<TrendPoint["source"], MarkShape>
>;

const usualPx = 252;

export function TrendChart({
  measure,
  points,
  patient,
}: {
  readonly measure: KnownMeasure;
  readonly points: readonly TrendPoint[];
  readonly patient: Patient;
}) {
  const ownRanges = useProgram((state) => state.ownRanges);
  const text = useText();
  const format = useFormat();
  const dateText = useDateText();
  const legendOf = useLegend();
  const chosenPx = usePaneSizes((state) => state.sizesPx.charts);
  const { species, breed, isSpeciesKnown } = comparedAnimal(patient, null);
  const range = referenceRangeFor(measure.name, species, breed, ownRanges);
  const series = drawnSeries(points, measure.name, range);
  if (series.length === 0)
    return (
      <p className="trend-empty quiet" style={{ height: chosenPx ?? usualPx }}>
        {text("trends.noValues", { score: measure.label })}
      </p>
    );
  const drawn = range && drawnRange(range);
  const limits = drawn ? [drawn.high, ...(drawn.low === null ? [] : [drawn.low])] : [];
  const y = valueAxis([
    ...series.flatMap(({ value, interval }) => [value, ...(interval ? [interval.low, interval.high] : [])]),
    ...limits,
  ]);
  const x = timeAxis(series.map(({ atMs }) => atMs));
  return (
    <Chart
      label={text("trends.chart", { score: measure.label, name: patient.name })}
      hint={text("charts.hintOpen")}
      heightPx={chosenPx ?? usualPx}
      isHigherWhereWide={chosenPx === undefined}
      x={{ ...x, caption: "", text: dateText(x) }}
      y={{
        ...y,
        caption: `${measure.label} (${text("result.unit")})`,
        text: (value) => format.number(value, y.to - y.from < 2 ? 2 : 1),
      }}
      bands={drawn ? [{ kind: "range", name: text("trends.band"), from: drawn.low ?? y.from, to: drawn.high }] : []}
      legend={legendOf(
        series.map(({ point }) => point.source),
        series.some(({ isAbove }) => isAbove),
        series.some(({ interval }) => interval !== null),
        range,
        isSpeciesKnown,
      )}
      isCourse
      points={series.map(({ point, atMs, value, isAbove, interval }) => {
        const shownValue = `${format.score(value)} ${text("result.unit")}`;
        const said = { score: measure.label, value: shownValue, date: format.day(point.at) };
        const shared = { x: atMs, y: value, shape: shapes[point.source], isFilled: isAbove, interval };
        const { filmId } = point;
        return filmId
          ? { ...shared, name: text("trends.openPoint", said), onOpen: () => showFilm(filmId) }
          : { ...shared, name: `${said.score} ${said.value}, ${said.date} (${text("trends.viaApi")})` };
      })}
    />
  );
}

function useLegend() {
  const text = useText();
  const limitsOf = useRangeLimits();
  const nameOf = (range: ReferenceRange, isSpeciesKnown: boolean) => {
    const whose = whoseRange(range, range.breed ? breedName(range.breed) : "", isSpeciesKnown, text);
    const [source] = range.source.citation.split(",");
    return `${text("trends.band")} ${limitsOf(range)} · ${whose}, ${text(`reference.band_${range.band}`)}\u00a0· ${source}`;
  };
  return (
    sources: readonly TrendPoint["source"][],
    hasAbove: boolean,
    hasIntervals: boolean,
    range: ReferenceRange | null,
    isSpeciesKnown: boolean,
  ): NonNullable<ChartProps["legend"]> => [
    ...[...new Set(sources)].map((source) => ({ shape: shapes[source], name: text(`trends.source_${source}`) })),
    ...(hasAbove ? [{ shape: "circle" as const, isFilled: true, name: text("result.place_above") }] : []),
    ...(hasIntervals ? [{ shape: "whisker" as const, name: text("trends.interval") }] : []),
    ...(range ? [{ shape: "band" as const, name: nameOf(range, isSpeciesKnown) }] : []),
  ];
}
