import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { useCallback, useState } from "react";
import type { Patient, TrendPoint } from "../../core/contract/desktop/patients.ts";
import { placeInRange, referenceRangeFor } from "../../core/cardiac/reference/reference-ranges.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { placeOn, timeAxis, valueAxis } from "./chart-scale.ts";

const frame = { height: 252, left: 44, right: 14, top: 24, bottom: 28 } as const;
const usualWidthPx = 560;
const dayLabelMs = 120 * 86_400_000;

/** One score over time with its reference band; points are links to their films. */
export function TrendChart({
  measure,
  points,
  patient,
  onOpen,
}: {
  readonly measure: KnownMeasure;
  readonly points: readonly TrendPoint[];
  readonly patient: Patient;
  readonly onOpen: (point: TrendPoint) => void;
}) {
  const text = useText();
  const format = useFormat();
  const [observe, widthPx] = useWidth();
  const size = { ...frame, width: widthPx };
  const series = points.flatMap((point) => {
    const value = point[measure.name];
    return typeof value === "number" ? [{ point, atMs: Date.parse(point.at), value }] : [];
  });
  if (series.length === 0)
    return <p className="trend-empty quiet">{text("trends.noValues", { score: measure.label })}</p>;
  const range = referenceRangeFor(measure.name, patient.species, patient.breed);
  const limits = range ? [range.high, ...(range.low === null ? [] : [range.low])] : [];
  const values = valueAxis([...series.map(({ value }) => value), ...limits]);
  const times = timeAxis(series.map(({ atMs }) => atMs));
  const x = (atMs: number) => placeOn(times, atMs, size.left, size.width - size.right);
  const y = (value: number) => placeOn(values, value, size.height - size.bottom, size.top);
  const bandTop = range ? y(Math.min(range.high, values.to)) : 0;
  const bandBottom = range ? y(range.low === null ? values.from : Math.max(range.low, values.from)) : 0;
  const tickText = (atMs: number) => {
    const iso = new Date(atMs).toISOString();
    return times.to - times.from < dayLabelMs
      ? format.day(iso)
      : format.month(iso.slice(0, 7)).replace(/(\p{L}{3})\p{L}*/u, "$1");
  };
  return (
    <svg
      ref={observe}
      className="trend-chart"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="group"
      aria-label={text("trends.chart", { score: measure.label, name: patient.name })}
    >
      {range && (
        <rect
          className="band"
          x={size.left}
          width={size.width - size.left - size.right}
          y={bandTop}
          height={Math.max(0, bandBottom - bandTop)}
        >
          <title>{text("trends.band")}</title>
        </rect>
      )}
      <text className="axis end" x={size.left - 6} y={11}>
        {text("result.unit")}
      </text>
      {values.ticks.map((value) => (
        <g key={value}>
          <line className="grid" x1={size.left} x2={size.width - size.right} y1={y(value)} y2={y(value)} />
          <text className="axis end" x={size.left - 6} y={y(value) + 3.5}>
            {format.number(value, values.to - values.from < 2 ? 2 : 1)}
          </text>
        </g>
      ))}
      {times.ticks.map((atMs) => (
        <g key={atMs}>
          <line
            className="grid"
            x1={x(atMs)}
            x2={x(atMs)}
            y1={size.height - size.bottom}
            y2={size.height - size.bottom + 4}
          />
          <text className="axis middle" x={x(atMs)} y={size.height - size.bottom + 17}>
            {tickText(atMs)}
          </text>
        </g>
      ))}
      <polyline className="course" points={series.map(({ atMs, value }) => `${x(atMs)},${y(value)}`).join(" ")} />
      {series.map(({ point, atMs, value }, index) => {
        const name = { score: measure.label, value: format.score(value), date: format.day(point.at) };
        const isAbove = range !== null && placeInRange(value, range) === "above";
        const mark = (
          <path
            className={`point ${point.source} ${isAbove ? "above" : ""}`}
            d={markPath(point.source, x(atMs), y(value))}
          />
        );
        if (!point.filmId)
          return (
            <g key={index}>
              <title>{`${name.score} ${name.value}, ${name.date} (${text("trends.viaApi")})`}</title>
              {mark}
            </g>
          );
        return (
          <a
            key={index}
            href="#film"
            aria-label={text("trends.openPoint", name)}
            onClick={(event) => {
              event.preventDefault();
              onOpen(point);
            }}
          >
            <circle className="reach" cx={x(atMs)} cy={y(value)} r={11} />
            {mark}
            <title>{`${name.score} ${name.value}, ${name.date}`}</title>
          </a>
        );
      })}
    </svg>
  );
}

/** Width of the chart as it is laid out [CSS px], so that its letters keep their size whatever the window's. */
function useWidth(): readonly [(chart: SVGSVGElement) => () => void, number] {
  const [widthPx, setWidthPx] = useState(usualWidthPx);
  const observe = useCallback((chart: SVGSVGElement) => {
    const observer = new ResizeObserver(
      ([entry]) => entry && entry.contentRect.width > 0 && setWidthPx(Math.round(entry.contentRect.width)),
    );
    observer.observe(chart);
    return () => observer.disconnect();
  }, []);
  return [observe, widthPx];
}

/** Circle: network; square: a person; diamond: through the API. */
function markPath(source: TrendPoint["source"], x: number, y: number): string {
  if (source === "person") return `M${x - 4},${y - 4}h8v8h-8z`;
  if (source === "api") return `M${x},${y - 5.5}l5.5,5.5l-5.5,5.5l-5.5,-5.5z`;
  return `M${x - 4.5},${y}a4.5,4.5 0 1 0 9,0a4.5,4.5 0 1 0 -9,0z`;
}
