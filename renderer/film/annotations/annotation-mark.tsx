import { labelLines } from "../../../core/annotations/annotation-style.ts";
import { toolOf, type Annotation } from "../../../core/annotations/annotation-tools.ts";
import { annotationLabel } from "../../../core/annotations/annotation-value.ts";
import { arrowHead, labelCorner } from "../../../core/annotations/mark-geometry.ts";
import type { FilmScale } from "../../../core/annotations/film-scale.ts";
import { meanPoint } from "../../../core/cardiac/points.ts";
import { letterScale } from "../../ui/letter-scale.ts";
import { useFormat } from "../../ui/language/format.ts";
import { labelCharPx } from "../label-placement.ts";
import { mapped, pathOf, type Matrix, type ScreenPoint, type Size } from "../view.ts";

/** An annotation to draw; `matrix` maps its pixels to the stage. */
export type MarkProps = {
  readonly annotation: Annotation;
  readonly matrix: Matrix;
  readonly scale: FilmScale | null;
  readonly stage: Size;
};

const linePx = 14;
const paddingPx = 5;
const gapPx = 12;
const headPx = 12;

export function AnnotationMark({ annotation, matrix, scale, stage }: MarkProps) {
  const format = useFormat();
  const tool = toolOf(annotation.tool);
  const line = tool.outline(annotation.points).map((point) => mapped(matrix, point));
  const label = annotationLabel(annotation, scale, format.number);
  return (
    <g className="mark annotation">
      {line.length > 1 && <MarkLine line={line} hasHead={tool.hasHead ?? false} />}
      {label && (
        <MarkLabel
          label={label}
          at={mapped(matrix, tool.labelAt(annotation.points))}
          from={line.length > 1 ? meanPoint(line) : null}
          stage={stage}
        />
      )}
    </g>
  );
}

export function MarkLine({
  line,
  hasHead = false,
}: {
  readonly line: readonly ScreenPoint[];
  readonly hasHead?: boolean;
}) {
  const path = pathOf(line);
  const sides = hasHead ? arrowHead(line, headPx) : null;
  const head = sides && pathOf(sides);
  return (
    <>
      <polyline className="halo" points={path} />
      {head && <polyline className="halo" points={head} />}
      <polyline points={path} />
      {head && <polyline points={head} />}
    </>
  );
}

export function MarkLabel({
  label,
  at,
  from,
  stage,
}: {
  readonly label: string;
  readonly at: ScreenPoint;
  readonly from: ScreenPoint | null;
  readonly stage: Size;
}) {
  const lines = labelLines(label);
  const scale = letterScale();
  const width = (Math.max(...lines.map((line) => line.length)) * labelCharPx + 2 * paddingPx) * scale;
  const height = (lines.length * linePx + paddingPx) * scale;
  const { x, y } = labelCorner(at, from, gapPx, { widthPx: width, heightPx: height }, stage);
  return (
    <g className="mark-label">
      <rect x={x} y={y} width={width} height={height} rx={2} />
      {lines.map((line, index) => (
        <text key={index} x={x + width / 2} y={y + ((index + 1) * linePx - 2) * scale}>
          {line}
        </text>
      ))}
    </g>
  );
}
