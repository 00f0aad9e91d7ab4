import type { FilmLevels } from "../views/film-levels.ts";
import {
  closerFrame,
  mirroredFrame,
  thoraxFrame,
  turnedFrame,
  wholeFilmFrame,
  type NetworkFrame,
} from "../views/landmark-frames.ts";
import type { ThoraxPose } from "../views/thorax-pose.ts";
import type { LandmarkManifest, NetworkCall } from "../threads/network-calls.ts";
import { inputSidePx } from "../packs/pack-tensors.ts";
import { settlePose, type SettledPose, type SettledPoses } from "./settle-pose.ts";

/**
 * Finds the thorax on a film and on its mirror image, so that the result does not depend on the direction in which the
 * animal faces. Each of the two poses is corrected by a member on a close-up of the thorax, in parallel. `quarters`:
 * quarter turns by which the film is rotated.
 *
 * @throws AppError ABORTED, checked before every network
 */
export async function findThorax(
  call: NetworkCall,
  manifest: LandmarkManifest,
  levels: FilmLevels,
  quarters = 0,
): Promise<SettledPoses> {
  const { side, whole, locate, settle } = locating(call, manifest, levels);
  const turned = turnedFrame(whole, side, quarters);
  const located = await Promise.all([locate(turned), locate(mirroredFrame(turned, side))]);
  const [inFilm, inMirror] = located.map(({ pose }) => pose) as [ThoraxPose | null, ThoraxPose | null];
  return Promise.all(facingLeftFirst(inFilm, inMirror).slice(0, manifest.members.length).map(settle));
}

/** Magnification of the searched parts of a film, and their centres as fractions of the film. */
const closer = 1.7;
const partsAt = [
  [0.5, 0.5],
  [0.28, 0.28],
  [0.72, 0.28],
  [0.28, 0.72],
  [0.72, 0.72],
] as const;

/**
 * Finds a thorax that is small on its film, such as one of a whole animal. Searches the whole film and five parts of
 * it, each with its mirror image, and corrects the pose with the most evidence. null without a column.
 *
 * @throws AppError ABORTED, checked before every network
 */
export async function searchThorax(
  call: NetworkCall,
  manifest: LandmarkManifest,
  levels: FilmLevels,
): Promise<SettledPose | null> {
  const { film, side, whole, locate, settle } = locating(call, manifest, levels);
  const parts = partsAt.map(([x, y]) => closerFrame(whole, closer, { x: x * film.width, y: y * film.height }, side));
  const frames = [whole, ...parts].flatMap((frame) => [frame, mirroredFrame(frame, side)]);
  const sightings = await Promise.all(frames.map(locate));
  const [clearest] = sightings.toSorted((a, b) => b.columnEvidence - a.columnEvidence);
  return settle(clearest?.pose ?? null, 0);
}

function locating(call: NetworkCall, manifest: LandmarkManifest, levels: FilmLevels) {
  const { kind } = manifest;
  const { crop } = manifest.decoding;
  const side = inputSidePx(manifest);
  const [film] = levels;
  const look = (member: number | null, frame: NetworkFrame) =>
    call("locate", { kind, member, view: { levels, frame } });
  return {
    film,
    side,
    whole: wholeFilmFrame(film.width, film.height, side),
    locate: (frame: NetworkFrame) => look(null, frame),
    settle: (found: ThoraxPose | null, member: number) =>
      settlePose(found, (pose) => look(member, thoraxFrame(pose, crop, side, member))),
  };
}

/**
 * The pose from the image in which the animal faces left, then the other one. If one was not found, the other replaces
 * it.
 */
function facingLeftFirst(inFilm: ThoraxPose | null, inMirror: ThoraxPose | null): readonly (ThoraxPose | null)[] {
  const facesRight = (inFilm ?? inMirror)?.isMirrored ?? false;
  return facesRight ? [inMirror ?? inFilm, inFilm ?? inMirror] : [inFilm ?? inMirror, inMirror ?? inFilm];
}
