import type { HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import { meanPoint, segmentLengthsPx } from "../../../core/cardiac/points.ts";
import { nearestAlongPx, columnLine, placeAlong } from "../../../core/cardiac/ruler/column-line.ts";
import { countAlong, nameEvidence, type ColumnSight } from "../../../core/cardiac/ruler/counted-ruler.ts";
import { doubtfulDirection } from "../../../core/cardiac/ruler/doubtful-name.ts";
import type { ChainEdge } from "../../../core/cardiac/ruler/vertebral-chain.ts";
import { median } from "../../../core/median.ts";
import type { Agreement, NamedColumn } from "./landmark-decoding.ts";
import type { LoadedColumn } from "../packs/loaded-pack.ts";
import { sampleStrip, stripAlong, type ColumnStrip, type StripRules } from "../views/column-strip.ts";
import type { FilmLevels } from "../views/film-levels.ts";

/** Vertebrae whose median length defines the scale of the strip. */
const usual = { from: "T4", to: "T12" } as const;
const inMiddle = "T8";

/**
 * Straightens the column and counts the vertebrae along it, by the mean of the networks' predictions of their lengths
 * and names. The chain provides T4 and the course of the column.
 *
 * @param column     every named vertebra, at least three of them visible [film px]
 * @param vertebrae  names, cranial to caudal, T4, T8 and T12 included
 * @returns          edges from T4 caudally, of the mean and each network; null if edges coincide or a length is invalid
 */
export async function countVertebrae(
  loaded: LoadedColumn,
  levels: FilmLevels,
  { edges, shiftEvidence }: NamedColumn,
  hearts: readonly HeartLandmarks[],
  vertebrae: readonly string[],
): Promise<Pick<Agreement, "edges" | "otherCount" | "counts"> | null> {
  const placeOf = (name: string) => (edges[vertebrae.indexOf(name)] as ChainEdge).place;
  const vertebraPx = usualLengthPx(edges.slice(vertebrae.indexOf(usual.from), vertebrae.indexOf(usual.to) + 1));
  if (!(vertebraPx > 0)) return null;
  const seen = edges.flatMap((edge, label) => (edge.seen ? [{ label, place: edge.place }] : []));
  const line = columnLine(seen, edges.length);
  const thorax = meanPoint(hearts.flatMap((heart) => Object.values(heart)));
  const strip = stripAlong(line, placeOf(inMiddle), vertebraPx, thorax, rulesOf(loaded));
  sampleStrip(levels, strip, loaded.input);
  const sight = await sightAlong(loaded, strip, vertebraPx);
  if (!sight) return null;

  const t4 = vertebrae.indexOf(usual.from);
  // From one vertebra cranial of the first name to one caudal of the last.
  const fromPx = nearestAlongPx(line, placeOf(usual.from));
  const along = countAlong(sight, fromPx, t4 + 1, edges.length - t4);
  const shifted = (by: number) => nameEvidence(sight, along.slice(1 + by, 1 + by + edges.length));
  const placesOf = (places: readonly number[]) => places.map((place) => placeAlong(line, place));
  const edgesFrom = (label: number) => placesOf(along.slice(1 + label, -1));
  const asNamed = shifted(0);
  const direction = doubtfulDirection(shiftEvidence, {
    cranial: shifted(-1) - asNamed,
    caudal: shifted(1) - asNamed,
  });
  return {
    edges: edgesFrom(t4),
    counts: sight.each.map((lengthsPx) =>
      placesOf(countAlong({ ...sight, lengthsPx }, fromPx, 0, edges.length - t4 - 1)),
    ),
    otherCount: direction && { direction, edges: edgesFrom(direction === "cranial" ? t4 - 1 : t4 + 1) },
  };
}

function usualLengthPx(edges: readonly ChainEdge[]): number {
  return median(segmentLengthsPx(edges.map(({ place }) => place)));
}

function rulesOf({ manifest: { input, vertebraPx } }: LoadedColumn): StripRules {
  const [, , height, width] = input.shape as [1, 1, number, number];
  return { width, height, vertebraPx };
}

async function sightAlong(
  { manifest, network, input }: LoadedColumn,
  strip: ColumnStrip,
  vertebraPx: number,
): Promise<(ColumnSight & { readonly each: readonly Float32Array[] }) | null> {
  const [lengths, nameShares] = [...(await network.run(input)).values()] as [Float32Array, Float32Array];
  if (!lengths.every((length) => length > 0 && Number.isFinite(length))) return null;
  const [networks, cells] = manifest.outputs[0].shape as [number, number];
  const each = Array.from({ length: networks }, (_, number) =>
    lengths.subarray(number * cells, (number + 1) * cells).map((share) => share * vertebraPx),
  );
  const between = strip.rules.width / cells;
  return {
    firstPx: strip.firstPx + (between / 2 - 0.5) * strip.stepPx,
    stepPx: between * strip.stepPx,
    lengthsPx: geometricMean(each),
    nameShares,
    each,
  };
}

function geometricMean(rows: readonly Float32Array[]): Float32Array {
  const [first] = rows as readonly [Float32Array];
  return first.map((_, at) => Math.exp(rows.reduce((sum, row) => sum + Math.log(row[at] as number), 0) / rows.length));
}
