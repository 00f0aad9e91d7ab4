import type { HeartLandmarkName } from "./landmarks.ts";
import type { PlacedHeart } from "./measures/placed-heart.ts";
import { inOtherSize, type Point } from "./points.ts";
import { vertebraName } from "./ruler/vertebra-name.ts";
import type { VertebralRuler } from "./ruler/vertebral-ruler.ts";

/** Pixel coordinates [x, y] in a file of annotated data; (0, 0) is the centre of the top left pixel. */
type Pair = readonly [number, number];

/** One entry of `index.json`, the format read by training and evaluation. */
export type AnnotatedImage = {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly species: "dog" | "cat" | null;
  readonly facing: "left" | "right";
  readonly landmarks: Readonly<Record<HeartLandmarkName, Pair | null>>;
  /** Cranial edge of each vertebra from T4 on; only those of T4 and T10 for a fallback ruler of six equal parts. */
  readonly edges: readonly (readonly [string, Pair])[];
  /** Score of the corrected points [v], unrounded. */
  readonly vhs: number | null;
  readonly group: "hi-res" | "thumbnail";
  readonly source: string;
  readonly licence: string;
  readonly note: string;
};

/** Pictures whose longest side is shorter are thumbnails [px]. */
const thumbnailBelowPx = 300;

/** Converts a corrected reading from pixels of `frame` to pixels of the picture; null for a reading without points. */
export function toAnnotatedImage(
  reading: {
    readonly frame: { readonly widthPx: number; readonly heightPx: number };
    readonly heart: PlacedHeart | null;
    readonly edges: readonly Point[];
    readonly ruler: VertebralRuler | null;
    readonly score: { readonly vhs: number | null } | null;
  },
  picture: {
    readonly file: string;
    readonly widthPx: number;
    readonly heightPx: number;
    readonly species: "dog" | "cat" | null;
    readonly note: string;
  },
): AnnotatedImage | null {
  const { frame, heart, score } = reading;
  const edges = namedEdges(reading);
  const first = edges[0]?.edge;
  const last = edges.at(-1)?.edge;
  if (heart === null || first === undefined || last === undefined) return null;
  const inPicture = (point: Point): Pair => {
    const { x, y } = inOtherSize(point, frame, picture);
    return [roundToHundredth(x), roundToHundredth(y)];
  };
  const { heart_top, heart_bottom, heart_right, heart_left, VLAS } = heart;
  return {
    file: picture.file,
    width: picture.widthPx,
    height: picture.heightPx,
    species: picture.species,
    // The column runs caudally, away from the side that the animal faces.
    facing: last.x >= first.x ? "left" : "right",
    landmarks: {
      heart_top: inPicture(heart_top),
      heart_bottom: inPicture(heart_bottom),
      heart_right: inPicture(heart_right),
      heart_left: inPicture(heart_left),
      VLAS: VLAS && inPicture(VLAS),
    },
    edges: edges.map(({ name, edge }) => [name, inPicture(edge)] as const),
    vhs: score?.vhs ?? null,
    group: Math.max(picture.widthPx, picture.heightPx) < thumbnailBelowPx ? "thumbnail" : "hi-res",
    source: "read in Corvet",
    licence: "the clinic's own; not for publication",
    note: picture.note,
  };
}

/** Of a fallback ruler only both ends, since the other edges are computed. */
function namedEdges({ edges, ruler }: { readonly edges: readonly Point[]; readonly ruler: VertebralRuler | null }) {
  const isInParts = ruler?.kind === "fallback";
  const named = (isInParts ? ruler.edges : edges).map((edge, index) => ({ name: vertebraName(index), edge }));
  return isInParts ? named.filter((_, index) => index % (named.length - 1) === 0) : named;
}

function roundToHundredth(value: number): number {
  return Math.round(value * 100) / 100;
}
