import { AppError } from "../../../core/app-error.ts";
import { agreedHeart } from "../../../core/cardiac/ensemble.ts";
import { heartLandmarkNames, type HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import type { LoadedHeart } from "../packs/loaded-pack.ts";
import type { FilmLevel } from "../views/film-levels.ts";
import { heartFrame } from "../views/heart-frame.ts";
import { sampleFrame } from "../views/sample-frame.ts";
import { heartLandmarks, outlineAround, type HeartVote } from "./landmark-decoding.ts";

/** What the networks see of a heart that is shown to them close [image px]. */
export type HeartCloseUp = {
  /** One vote per network, with the outline that it sees; null where that is not sound. */
  readonly votes: readonly HeartVote[];
  /** The outline of their mean silhouette. */
  readonly outline: readonly Point[] | null;
};

/**
 * Looks at the heart alone, shown as large as every heart, where the members found it.
 *
 * @param levels  the film, as `imageLevels` gives it
 * @param hearts  what each member voted, n >= 1 [image px]
 * @returns       null where these votes have no axes
 */
export async function lookAtHeart(
  { manifest, network, input }: LoadedHeart,
  levels: readonly FilmLevel[],
  hearts: readonly HeartLandmarks[],
): Promise<HeartCloseUp | null> {
  const side = manifest.input.shape[3] as number;
  const frame = heartFrame(agreedHeart(hearts), side, manifest.heartShare);
  if (!frame) return null;
  sampleFrame(levels, frame, side, input);
  const outputs = await network.run(input);
  const [points, silhouettes] = manifest.outputs.map(({ name }) => outputs.get(name));
  if (!points || !silhouettes) throw new AppError("INTERNAL", "the network of the heart lacks an output");

  const [count, cells] = manifest.outputs[1].shape as [number, number, number];
  const area = cells * cells;
  const outlineOf = (silhouette: Float32Array, around: readonly HeartLandmarks[]) =>
    outlineAround(around, { frame, maps: { cells }, silhouette }, side);
  const votes = Array.from({ length: count }, (_, number) => {
    const heart = heartLandmarks(points.subarray(2 * number * heartLandmarkNames.length), frame, side);
    return { heart, outline: outlineOf(silhouettes.subarray(number * area, (number + 1) * area), [heart]) };
  });
  const voted = votes.map(({ heart }) => heart);
  return { votes, outline: outlineOf(meanSilhouette(silhouettes, count, area), voted) };
}

function meanSilhouette(silhouettes: Float32Array, count: number, area: number): Float32Array {
  const mean = new Float32Array(area);
  for (let at = 0; at < silhouettes.length; at++)
    mean[at % area] = (mean[at % area] as number) + (silhouettes[at] as number) / count;
  return mean;
}
