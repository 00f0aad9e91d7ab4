import type { Point } from "../../../core/cardiac/points.ts";
import { numbers, text, words, type DataSet } from "../results/data-set.ts";

export type Graphic = { readonly points: readonly Point[] };
export type Label = { readonly words: string; readonly at: Point };

/** Encodes a graphic object. DICOM counts from the corner of a pixel, points here from its centre. @see C.10.5 */
export function graphicObject({ points }: Graphic): DataSet {
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length > 2 && first?.x === last?.x && first?.y === last?.y;
  return {
    "00700005": words("PIXEL"),
    "00700020": numbers("US", 2),
    "00700021": numbers("US", points.length),
    "00700022": numbers("FL", ...points.flatMap(inPicture)),
    "00700023": words(points.length === 1 ? "POINT" : "POLYLINE"),
    ...(isClosed && { "00700024": words("N") }),
  };
}

export function textObject({ words: content, at }: Label): DataSet {
  return {
    "00700004": words("PIXEL"),
    "00700006": text("ST", content),
    "00700014": numbers("FL", ...inPicture(at)),
    "00700015": words("N"),
  };
}

function inPicture({ x, y }: Point): [number, number] {
  return [x + 0.5, y + 0.5];
}
