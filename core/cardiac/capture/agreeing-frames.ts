import { AppError } from "../../app-error.ts";
import type { Point } from "../points.ts";
import type { MeasuredRadiograph } from "../radiograph-measurement.ts";
import { median } from "../ruler/vertebral-ruler.ts";
import { registerFilms, type FilmView } from "./register-films.ts";
import type { SmallPicture } from "./small-picture.ts";

/** A frame that is good on its own: what was measured on its film, and the film's small picture. */
export type CaptureFrame = { readonly measurement: MeasuredRadiograph; readonly picture: SmallPicture };

/** Takes places on one frame's film to another's; null where they do not show one film. */
export type FilmMap = (from: CaptureFrame, to: CaptureFrame) => ((point: Point) => Point) | null;

/** Farthest that a good frame's VHS may lie from the median of the others' [v]. */
const mostVhsApart = 0.3;

/** Registers each two frames once, however often they are asked for. */
export function createFilmMap(): FilmMap {
  const known = new Map<CaptureFrame, Map<CaptureFrame, ReturnType<FilmMap>>>();
  return (from, to) => {
    const ofFrame = known.get(from) ?? new Map<CaptureFrame, ReturnType<FilmMap>>();
    known.set(from, ofFrame);
    const found = ofFrame.get(to);
    if (found !== undefined) return found;
    const map = registerFilms(viewOf(from), viewOf(to));
    ofFrame.set(to, map);
    return map;
  };
}

function viewOf({ measurement, picture }: CaptureFrame): FilmView {
  return { picture, size: measurement, points: Object.values(measurement.landmarks) };
}

/** The frame with the sharpest heat maps, the earlier of equals: the film that the others are brought onto. */
function sharpestFrame<Frame extends CaptureFrame>(frames: readonly Frame[]): Frame {
  const [first, ...others] = frames;
  if (!first) throw new AppError("INTERNAL", "no frames to choose from");
  const sharper = (a: Frame, b: Frame) => (b.measurement.sharpness > a.measurement.sharpness ? b : a);
  return others.reduce(sharper, first);
}

/**
 * The most frames that show one film, were measured with one pack and agree on its VHS; the earliest of equally many.
 *
 * @param frames  each good by itself
 * @param most    no more are looked for
 */
export function agreeingFrames<Frame extends CaptureFrame>(
  frames: readonly Frame[],
  most: number,
  mapOf: FilmMap,
): readonly Frame[] {
  for (let count = Math.min(most, frames.length); count > 0; count -= 1) {
    const found = choicesOf(frames, count).find(
      (choice) => isOnePack(choice) && isNear(choice) && isOneFilm(choice, mapOf),
    );
    if (found) return found;
  }
  return [];
}

function choicesOf<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  if (count === 0) return [[]];
  return items.flatMap((item, index) => choicesOf(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]));
}

/** A result names one pack: no frame of another may be in it. */
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
  return values.every((vhs, index) => Math.abs(vhs - median(values.toSpliced(index, 1))) <= mostVhsApart);
}

function isOneFilm(frames: readonly CaptureFrame[], mapOf: FilmMap): boolean {
  const base = sharpestFrame(frames);
  return frames.every((frame) => frame === base || mapOf(frame, base) !== null);
}
