import { agreedHeart } from "../../../core/cardiac/ensemble.ts";
import { type HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import type { LoadedHeart } from "../packs/loaded-pack.ts";
import type { FilmLevels } from "../views/film-levels.ts";
import { heartFrame } from "../views/heart-frame.ts";
import { sampleFrame } from "../views/sample-frame.ts";
import { heartLandmarks, outlineAround, type HeartVote } from "./landmark-decoding.ts";

/** Votes of the heart networks [image px]. */
export type HeartCloseUp = {
  /** One vote per network, or one for all; the outline of a vote is null if it is not sound. */
  readonly votes: readonly HeartVote[];
  readonly outline: readonly Point[] | null;
};

/**
 * Runs the heart networks on a close-up at the members' votes, in which every heart has the same size; null if the
 * votes have no axes. `asOne`: the networks share one vote, their mean.
 */
export async function measureHeartCloseUp(
  { manifest, network, input }: LoadedHeart,
  levels: FilmLevels,
  hearts: readonly HeartLandmarks[],
  asOne = false,
): Promise<HeartCloseUp | null> {
  const side = manifest.input.shape[3] as number;
  const frame = heartFrame(agreedHeart(hearts), side, manifest.heartShare);
  if (!frame) return null;
  sampleFrame(levels, frame, side, input);
  const [points, silhouettes] = [...(await network.run(input)).values()] as [Float32Array, Float32Array];

  const [networks, cells] = manifest.outputs[1].shape as [number, number, number];
  const outlineOf = (silhouette: Float32Array, around: readonly HeartLandmarks[]) =>
    outlineAround(around, { frame, maps: { cells }, silhouette }, side);
  const meanSilhouette = meanOf(silhouettes, networks);
  const voters = asOne
    ? [[meanOf(points, networks), meanSilhouette] as const]
    : Array.from(
        { length: networks },
        (_, number) => [partOf(points, number, networks), partOf(silhouettes, number, networks)] as const,
      );
  const votes = voters.map(([own, silhouette]) => {
    const heart = heartLandmarks(own, frame, side);
    return { heart, outline: outlineOf(silhouette, [heart]) };
  });
  const voted = votes.map(({ heart }) => heart);
  return { votes, outline: outlineOf(meanSilhouette, voted) };
}

function partOf(values: Float32Array, number: number, networks: number): Float32Array {
  const length = values.length / networks;
  return values.subarray(number * length, (number + 1) * length);
}

function meanOf(values: Float32Array, networks: number): Float32Array {
  const mean = new Float32Array(values.length / networks);
  for (let at = 0; at < values.length; at++)
    mean[at % mean.length] = (mean[at % mean.length] as number) + (values[at] as number) / networks;
  return mean;
}
