import { annotationColour, labelLines } from "../../../core/annotations/annotation-style.ts";
import { toolOf, type Annotation } from "../../../core/annotations/annotation-tools.ts";
import { annotationLabel } from "../../../core/annotations/annotation-value.ts";
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
 * @param write  formats a number with a given number of decimals in the report's language
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
  const head = toolOf(tool).hasHead ? headOf(line, thin * 8) : null;
  return polyline(line, annotationColour, thin) + (head ? polyline(head, annotationColour, thin) : "");
}

function headOf(line: readonly Point[], lengthPx: number): readonly Point[] | null {
  const [tip, before] = [line.at(-1), line.at(-2)];
  if (!tip || !before || Math.hypot(tip.x - before.x, tip.y - before.y) < 1) return null;
  const back = Math.atan2(before.y - tip.y, before.x - tip.x);
  const side = (turn: number) => ({
    x: tip.x + lengthPx * Math.cos(back + turn),
    y: tip.y + lengthPx * Math.sin(back + turn),
  });
  return [side(0.45), tip, side(-0.45)];
}

/** Places a label away from the middle of its line, inside the film. */
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
  const angle = from ? Math.atan2(at.y - from.y, at.x - from.x) : null;
  const middle =
    angle === null
      ? at
      : {
          x: at.x + Math.cos(angle) * (sizePx * 0.6 + width / 2),
          y: at.y + Math.sin(angle) * (sizePx * 0.6 + height / 2),
        };
  const left = within(middle.x - width / 2, canvas.width - width);
  const top = within(middle.y - height / 2, canvas.height - height);
  return lines
    .map((text, index) =>
      haloText(
        { text, colour: annotationColour, sizePx, weight: 600 },
        { x: left, y: top + index * sizePx * 1.25, heightPx: sizePx * 1.25 },
      ),
    )
    .join("");
}

function within(value: number, most: number): number {
  return Math.max(2, Math.min(most - 2, value));
}
