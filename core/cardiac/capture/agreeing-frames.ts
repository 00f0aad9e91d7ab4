import type { Point } from "../points.ts";
import type { MeasuredRadiograph } from "../radiograph-measurement.ts";
import { median } from "../../median.ts";
import { registerFilms, type FilmView } from "./register-films.ts";
import type { SmallPicture } from "./small-picture.ts";

export type CaptureFrame = {
  readonly measurement: MeasuredRadiograph;
  readonly picture: SmallPicture;
  /** Identifies the film across restarts. */
  readonly filmSha256: string;
};

/** Maps positions on one film to another; null if the pictures do not show the same film. */
type PlaceMap = ((point: Point) => Point) | null;

/** Registrations between pairs of films by their hashes, without pictures. */
export type KnownMaps = Map<string, PlaceMap>;

export type FilmMap = (from: CaptureFrame, to: CaptureFrame) => Promise<PlaceMap>;

/** Maximum difference between a good frame's VHS and the median of the others [v]. */
const maxVhsDifference = 0.3;

/**
 * Creates a function that registers each pair of films once and adds it to `known`. `pause` is awaited before each
 * registration, which takes tens of milliseconds; an error that it throws cancels the search.
 */
export function createFilmMap(pause: () => Promise<unknown>, known: KnownMaps = new Map()): FilmMap {
  return async (from, to) => {
    const pair = `${from.filmSha256} ${to.filmSha256}`;
    const found = known.get(pair);
    if (found !== undefined) return found;
    await pause();
    const map = registerFilms(viewOf(from), viewOf(to));
    known.set(pair, map);
    return map;
  };
}

function viewOf({ measurement, picture }: CaptureFrame): FilmView {
  const { widthPx, heightPx, landmarks } = measurement;
  return { picture, size: { widthPx, heightPx }, points: Object.values(landmarks) };
}

/** Frame with the sharpest heat maps, the earlier one if equal; the others are mapped onto its film. */
function sharpestFrame<Frame extends CaptureFrame>(frames: readonly Frame[]): Frame {
  return frames.reduce((a, b) => (b.measurement.sharpness > a.measurement.sharpness ? b : a));
}

/**
 * Finds the largest group, of at most `most` frames, that show one film, were measured with one pack and agree on the
 * VHS; the earliest group if several are equally large.
 */
export async function agreeingFrames<Frame extends CaptureFrame>(
  frames: readonly Frame[],
  most: number,
  mapOf: FilmMap,
): Promise<readonly Frame[]> {
  for (let count = Math.min(most, frames.length); count > 0; count -= 1)
    for (const choice of choicesOf(frames, count))
      if (isOnePack(choice) && isNear(choice) && (await isOneFilm(choice, mapOf))) return choice;
  return [];
}

function choicesOf<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  if (count === 0) return [[]];
  return items.flatMap((item, index) => choicesOf(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]));
}

/** A result names one pack, so frames of several packs cannot be combined. */
function isOnePack([first, ...others]: readonly CaptureFrame[]): boolean {
  const packOf = (frame: CaptureFrame | undefined) => frame?.measurement.provenance;
  return others.every(
    (frame) =>
      packOf(frame)?.packName === packOf(first)?.packName && packOf(frame)?.packVersion === packOf(first)?.packVersion,
  );
}

function isNear(frames: readonly CaptureFrame[]): boolean {
  const values = frames.map(({ measurement }) => measurement.score.vhs ?? NaN);
  if (values.length === 1) return true;
  return values.every((vhs, index) => Math.abs(vhs - median(values.toSpliced(index, 1))) <= maxVhsDifference);
}

async function isOneFilm(frames: readonly CaptureFrame[], mapOf: FilmMap): Promise<boolean> {
  const base = sharpestFrame(frames);
  for (const frame of frames) if (frame !== base && (await mapOf(frame, base)) === null) return false;
  return true;
}
