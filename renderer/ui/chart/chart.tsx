import "./chart.css";
import { AxisBottom, AxisLeft } from "@visx/axis";
import { GridRows } from "@visx/grid";
import { scaleLinear } from "@visx/scale";
import { LinePath } from "@visx/shape";
import { useId, type ReactNode } from "react";
import { ChartCursor } from "./chart-cursor.tsx";
import { letterScale } from "../letter-scale.ts";
import { markPath, type ChartPoint, type MarkShape } from "./chart-point.ts";
import { spacedTicks, type Axis } from "./chart-scale.ts";
import { useChartPointer, useWidth } from "./use-chart-pointer.ts";

export type ChartAxis = Axis & { readonly caption: string; readonly text: (value: number) => string };
/** A band of the y axis: a reference `range`, or the `interval` of a figure. */
type Band = {
  readonly from: number;
  readonly to: number;
  readonly kind: "range" | "interval";
  readonly name: string;
};
type Line = {
  readonly at: number;
  readonly kind: "zero" | "mean" | "limit" | "threshold";
  readonly name: string;
};

type LegendEntry = {
  readonly shape: MarkShape | "band" | "whisker";
  readonly isFilled?: boolean;
  readonly name: string;
};

/** Contents of a chart. Points are ordered by x. */
export type ChartProps = {
  readonly label: string;
  readonly heightPx: number;
  /** Grows with the width, up to a limit, so that the line keeps its slope. */
  readonly isHigherWhereWide?: boolean;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly points: readonly ChartPoint[];
  readonly bands?: readonly Band[];
  readonly lines?: readonly Line[];
  readonly isCourse?: boolean;
  readonly legend?: readonly LegendEntry[];
  /** Instruction for keyboard users, shown when the points receive focus. */
  readonly hint: string;
  readonly children?: ReactNode;
};

/** Height of a wide chart as a fraction of its width, and the limit as a multiple of `heightPx`. */
const slope = 0.36;
const maxHeightRatio = 1.7;

/** Space for the labels around the plot [px], scaled with the text of the display. */
function margins() {
  const scale = letterScale();
  return { left: 46 * scale, right: 16 * scale, top: 26 * scale, bottom: 38 * scale };
}

/** Approximate width of an axis label's character [px], and the margin of a label in characters. */
const letterPx = 6.6;
const airLetters = 2;

/** Chart with a single Tab stop: the arrow keys move between points, Enter opens the focused one. */
export function Chart(given: ChartProps) {
  const [observe, widthPx] = useWidth();
  const heightPx = given.isHigherWhereWide ? heightOfWide(given.heightPx, widthPx) : given.heightPx;
  const props = { ...given, heightPx };
  const { label, points, legend, hint, children } = props;
  const { x, y } = scalesOf(props, widthPx);
  const places = points.map((point) => ({ x: x(point.x), y: y(point.y) }));
  const pointer = useChartPointer(points, places);
  const hintId = useId();
  return (
    <div className="chart" role="group" aria-label={label}>
      <div className="chart-area" ref={observe}>
        <svg
          width={widthPx}
          height={heightPx}
          viewBox={`0 0 ${widthPx} ${heightPx}`}
          aria-hidden="true"
          onPointerMove={pointer.onMove}
          onPointerLeave={pointer.onLeave}
          onClick={pointer.onClick}
        >
          <Ground chart={props} widthPx={widthPx} scales={{ x, y }} />
          <path className="whiskers" d={whiskersPath(points, { x, y })} />
          <Marks points={points} places={places} isCourse={props.isCourse ?? false} />
        </svg>
        {points.length > 0 && (
          <ChartCursor points={points} places={places} widthPx={widthPx} pointer={pointer} hintId={hintId} />
        )}
        <span id={hintId} className="visually-hidden">
          {hint}
        </span>
      </div>
      {legend && legend.length > 0 && <Legend entries={legend} />}
      {children}
    </div>
  );
}

function heightOfWide(heightPx: number, widthPx: number): number {
  return Math.round(Math.max(heightPx, Math.min(maxHeightRatio * heightPx, widthPx * slope)));
}

function scalesOf({ x, y, heightPx }: ChartProps, widthPx: number) {
  const margin = margins();
  return {
    x: scaleLinear<number>({
      domain: [x.from, x.to],
      range: [margin.left, Math.max(margin.left + 1, widthPx - margin.right)],
    }),
    y: scaleLinear<number>({ domain: [y.from, y.to], range: [heightPx - margin.bottom, margin.top] }),
  };
}

type Scales = ReturnType<typeof scalesOf>;

function whiskersPath(points: ChartProps["points"], { x, y }: Scales): string {
  const lines = points.flatMap(({ x: at, interval }) =>
    interval ? [`M${x(at)},${y(interval.low)}V${y(interval.high)}`] : [],
  );
  return lines.join("");
}

function ticksWithRoom({ ticks, text }: ChartAxis, x: Scales["x"]): number[] {
  const maxLetters = Math.max(0, ...ticks.map((tick) => text(tick).length));
  return spacedTicks(
    ticks,
    ticks.map((tick) => x(tick)),
    (maxLetters + airLetters) * letterPx * letterScale(),
  );
}

function Ground({
  chart: { heightPx, bands = [], lines = [], x: xAxis, y: yAxis },
  widthPx,
  scales: { x, y },
}: {
  readonly chart: ChartProps;
  readonly widthPx: number;
  readonly scales: Scales;
}) {
  const margin = margins();
  const scale = letterScale();
  const [left, right] = [margin.left, widthPx - margin.right];
  const within = (value: number) => Math.min(Math.max(value, yAxis.from), yAxis.to);
  return (
    <>
      {bands.map(({ from, to, kind, name }) => (
        <rect
          key={name}
          className={`band ${kind}`}
          x={left}
          width={Math.max(0, right - left)}
          y={y(within(to))}
          height={Math.max(0, y(within(from)) - y(within(to)))}
        />
      ))}
      <GridRows
        scale={y}
        left={left}
        width={Math.max(0, right - left)}
        tickValues={[...yAxis.ticks]}
        className="grid"
      />
      {lines.map(({ at, kind, name }) => (
        <line key={name} className={`line ${kind}`} x1={left} x2={right} y1={y(at)} y2={y(at)} />
      ))}
      <AxisLeft
        scale={y}
        left={left}
        hideAxisLine
        hideTicks
        tickValues={[...yAxis.ticks]}
        tickFormat={(value) => yAxis.text(Number(value))}
        tickClassName="tick"
        tickLabelProps={{ className: "axis end", dx: -2, dy: 3.5 * scale }}
      />
      <AxisBottom
        scale={x}
        top={heightPx - margin.bottom}
        axisClassName="axis-x"
        tickValues={ticksWithRoom(xAxis, x)}
        tickFormat={(value) => xAxis.text(Number(value))}
        tickLength={4 * scale}
        tickLabelProps={{ className: "axis middle", dy: 4 + 10 * (scale - 1) }}
      />
      <text className="axis" x={6} y={12 * scale}>
        {yAxis.caption}
      </text>
      <text className="axis end" x={right} y={heightPx - 4}>
        {xAxis.caption}
      </text>
    </>
  );
}

/** Draws all marks of a kind as one path, so that the number of nodes does not depend on the number of points. */
function Marks({
  points,
  places,
  isCourse,
}: Pick<ChartProps, "points"> & {
  readonly places: readonly { readonly x: number; readonly y: number }[];
  readonly isCourse: boolean;
}) {
  const kinds = new Map<string, string[]>();
  for (const [index, { shape, isFilled }] of points.entries()) {
    const kind = `point ${shape} ${isFilled ? "filled" : ""}`;
    const place = places[index];
    if (!place) continue;
    const paths = kinds.get(kind) ?? [];
    paths.push(markPath(shape, place.x, place.y));
    kinds.set(kind, paths);
  }
  return (
    <>
      {isCourse && <LinePath className="course" data={[...places]} x={(place) => place.x} y={(place) => place.y} />}
      {[...kinds].map(([kind, paths]) => (
        <path key={kind} className={kind} d={paths.join("")} />
      ))}
    </>
  );
}

function Legend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  return (
    <ul className="chart-legend">
      {entries.map(({ shape, isFilled, name }) => (
        <li key={name}>
          <svg width={14} height={14} aria-hidden="true">
            {shape === "band" && <rect className="band range" y={2} width={14} height={10} />}
            {shape === "whisker" && <path className="whiskers" d="M7,0V14" />}
            {shape !== "band" && shape !== "whisker" && (
              <path className={`point ${shape} ${isFilled ? "filled" : ""}`} d={markPath(shape, 7, 7)} />
            )}
          </svg>
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}
