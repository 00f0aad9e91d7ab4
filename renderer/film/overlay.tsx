import "./film.css";
import { memo, type CSSProperties } from "react";
import type { HeartScore } from "../../core/cardiac/heart-score.ts";
import { measures, type KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { rulerTicks } from "../../core/cardiac/drawing/placed-marks.ts";
import { heartPointNames } from "../../core/cardiac/measures/placed-heart.ts";
import { letterScale } from "../ui/letter-scale.ts";
import { useFormat } from "../ui/language/format.ts";
import { labelsOnStage } from "./label-placement.ts";
import { labelsOf, type Marks } from "./marks.ts";
import { pathOf, type ScreenPoint, type Size } from "./view.ts";

const tickPx = 9;

const lineWidthPx = 1.75;

function Line({
  from,
  to,
  kind,
  line = null,
}: {
  readonly from: ScreenPoint | null;
  readonly to: ScreenPoint | null;
  readonly kind: string;
  readonly line?: KnownMeasure["line"];
}) {
  if (!from || !to) return null;
  const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  const dash = line?.dash.map((part) => part * lineWidthPx).join(" ");
  return (
    <g className={`mark ${kind}`} style={markColour(line)}>
      <line className="halo" {...ends} />
      <line {...ends} strokeDasharray={dash} />
    </g>
  );
}

function markColour(line: KnownMeasure["line"]): CSSProperties {
  return (line ? { "--mark": line.colour } : {}) as CSSProperties;
}

/** The column from A to B with a tick at each vertebral edge and dots for edges beyond B, clipped to the film. */
function Ruler({ marks }: { readonly marks: Marks }) {
  const paths = marks.rulerLines.map(pathOf);
  const ticks = rulerTicks(marks.rulerEdges, tickPx).map(({ from, to }) => ({
    x1: from.x,
    y1: from.y,
    x2: to.x,
    y2: to.y,
  }));
  return (
    <g className="mark ruler">
      {paths.map((path) => (
        <polyline key={`halo-${path}`} className="halo" points={path} />
      ))}
      {paths.map((path) => (
        <polyline key={path} points={path} />
      ))}
      {ticks.map((ends) => (
        <line key={`halo-${ends.x1},${ends.y1}`} className="halo" {...ends} />
      ))}
      {ticks.map((ends) => (
        <line key={`${ends.x1},${ends.y1}`} {...ends} />
      ))}
      {marks.edges
        .slice(marks.rulerEdges.length)
        .filter(({ isOutside }) => !isOutside)
        .map((edge) => (
          <circle key={`${edge.x},${edge.y}`} className="beyond" cx={edge.x} cy={edge.y} r={1.5} />
        ))}
    </g>
  );
}

function Labels({
  marks,
  score,
  stage,
}: {
  readonly marks: Marks;
  readonly score: HeartScore | null;
  readonly stage: Size;
}) {
  const format = useFormat();
  const scale = letterScale();
  const labels = labelsOnStage(labelsOf(marks, score, format.score), marks.silhouette, stage, scale);
  return labels.map((label) => {
    const isVertebra = label.id.startsWith("edge");
    const style = markColour(measures.find(({ name }) => name === label.id)?.line ?? null);
    const x = Math.min(label.x + label.widthPx, Math.max(label.x, label.at.x));
    const y = Math.min(label.y + label.heightPx, Math.max(label.y, label.at.y));
    return (
      <g key={label.id} className={`mark-label ${isVertebra ? "vertebra" : label.id}`} style={style}>
        {!isVertebra && <line className="leader" x1={label.at.x} y1={label.at.y} x2={x} y2={y} />}
        {!isVertebra && <rect x={label.x} y={label.y} width={label.widthPx} height={label.heightPx} rx={2} />}
        <text x={label.x + label.widthPx / 2} y={label.y + label.heightPx / 2 + 4 * scale}>
          {label.text}
        </text>
      </g>
    );
  });
}

const lineOfPoint = new Map<string, KnownMeasure["line"]>(
  measures.flatMap(({ line }) => (line ? [[line.point, line] as const] : [])),
);

export const ReadingMarks = memo(function ReadingMarks({
  marks,
  score,
  stage,
  hasLabels,
  isGhost,
}: {
  readonly marks: Marks;
  readonly score: HeartScore | null;
  readonly stage: Size;
  readonly hasLabels: boolean;
  readonly isGhost?: boolean;
}) {
  const { heart } = marks;
  return (
    <g className={isGhost ? "ghost" : undefined} data-testid={isGhost ? "original-marks" : "marks"}>
      <Ruler marks={marks} />
      <Line kind="long" from={heart.heart_top} to={heart.heart_bottom} />
      <Line kind="short" from={heart.heart_right} to={heart.heart_left} />
      {marks.lines.map(({ measure, from, to }) => (
        <Line key={measure.name} kind={measure.name} from={from} to={to} line={measure.line} />
      ))}
      {heartPointNames.map((name) => {
        const point = heart[name];
        const style = markColour(lineOfPoint.get(name) ?? null);
        return point && <circle key={name} className={`landmark ${name}`} style={style} cx={point.x} cy={point.y} />;
      })}
      {hasLabels && <Labels marks={marks} score={score} stage={stage} />}
    </g>
  );
});

export function VoteCloud({ votes }: { readonly votes: readonly ScreenPoint[] }) {
  return (
    <g className="votes" data-testid="votes">
      {votes.map((vote, index) => (
        <path key={index} d={`M${vote.x - 3},${vote.y}h6M${vote.x},${vote.y - 3}v6`} />
      ))}
    </g>
  );
}

export function Guides({ marks }: { readonly marks: Marks }) {
  return marks.guides.map(({ measure, from, to }) => (
    <g key={measure.name} className="guide" style={markColour(measure.line)}>
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
    </g>
  ));
}

export function HeartOutline({ outline }: { readonly outline: readonly ScreenPoint[] }) {
  return <polygon className="heart-outline" data-testid="heart-outline" points={pathOf(outline)} />;
}

export function UnevenVertebrae({
  vertebrae,
}: {
  readonly vertebrae: readonly { readonly from: ScreenPoint; readonly to: ScreenPoint }[];
}) {
  return (
    <g className="uneven-vertebrae" data-testid="uneven-vertebrae">
      {vertebrae.map(({ from, to }) => (
        <line key={`${from.x},${from.y}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      ))}
    </g>
  );
}
