import { annotationColour, labelLines } from "../../../core/annotations/annotation-style.ts";
import { toolOf, type Annotation } from "../../../core/annotations/annotation-tools.ts";
import { annotationLabel } from "../../../core/annotations/annotation-value.ts";
import { arrowHead, labelCorner } from "../../../core/annotations/mark-geometry.ts";
import type { FilmScale } from "../../../core/annotations/film-scale.ts";
import { meanPoint, type Point } from "../../../core/cardiac/points.ts";
import type { AnnotationSet } from "../../../core/contract/desktop/annotations.ts";
import { textWidthPx } from "../../imaging/text/text-outlines.ts";
import type { PaperMarks } from "./measurement-drawing.ts";
import { haloText, letterPx, polyline } from "./svg-marks.ts";

export type Drawings = { readonly set: AnnotationSet; readonly scale: FilmScale | null };

type Canvas = { readonly width: number; readonly height: number };

/**
 * Draws annotations as the content of an SVG in canvas size.
 *
 * @param write  formats a number in the report's language
 * @param paper  minimum sizes for print
 */
export function drawAnnotations(
  { set, scale }: Drawings,
  canvas: Canvas,
  write: (value: number, digits: number) => string,
  paper: PaperMarks | null = null,
): string {
  const sizes = {
    letterPx: Math.max(letterPx(canvas.width), paper?.letterPx ?? 0),
    linePx: Math.max(1.5, canvas.width / 600, paper?.linePx ?? 0),
  };
  const perPx = canvas.width / set.frame.widthPx;
  const at = ({ x, y }: Point): Point => ({ x: (x + 0.5) * perPx, y: (y + 0.5) * perPx });
  return set.annotations
    .map((annotation) => {
      const tool = toolOf(annotation.tool);
      const line = tool.outline(annotation.points).map(at);
      const from = line.length > 1 ? meanPoint(line) : null;
      const label = annotationLabel(annotation, scale, write);
      return (
        drawLine(annotation, line, sizes.linePx) +
        drawLabel(label, at(tool.labelAt(annotation.points)), from, { ...canvas, letterPx: sizes.letterPx })
      );
    })
    .join("");
}

function drawLine({ tool }: Annotation, line: readonly Point[], thin: number): string {
  if (line.length < 2) return "";
  const head = toolOf(tool).hasHead ? arrowHead(line, thin * 8) : null;
  return polyline(line, annotationColour, thin) + (head ? polyline(head, annotationColour, thin) : "");
}

function drawLabel(
  label: string,
  at: Point,
  from: Point | null,
  canvas: Canvas & { readonly letterPx: number },
): string {
  if (label === "") return "";
  const sizePx = canvas.letterPx;
  const lines = labelLines(label);
  const width = Math.max(...lines.map((text) => textWidthPx(text, sizePx, 600)));
  const height = lines.length * sizePx * 1.25;
  const [size, film] = [
    { widthPx: width, heightPx: height },
    { widthPx: canvas.width, heightPx: canvas.height },
  ];
  const { x, y } = labelCorner(at, from, sizePx * 0.6, size, film);
  return lines
    .map((text, index) =>
      haloText(
        { text, colour: annotationColour, sizePx, weight: 600 },
        { x, y: y + index * sizePx * 1.25, heightPx: sizePx * 1.25 },
      ),
    )
    .join("");
}
