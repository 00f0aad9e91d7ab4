import type { FilmInPicture } from "../../core/cardiac/confidence.ts";
import type { PictureSize } from "../../core/cardiac/points.ts";
import { combineVotes, type AgreedGeometry } from "./landmarks/combine-votes.ts";
import { readLandmarks } from "./landmarks/read-landmarks.ts";
import type { PackRegistry } from "./packs/pack-registry.ts";
import type { GateVerdict } from "./screens/gate-decoding.ts";
import type { LandmarkManifest, NetworkCall } from "./threads/network-calls.ts";
import type { FilmLevels } from "./views/film-levels.ts";
import type { ThoraxPose } from "./views/thorax-pose.ts";

export type Instruments = {
  readonly registry: PackRegistry;
  readonly call: NetworkCall;
  readonly signal: AbortSignal | undefined;
  readonly programVersion: string;
};

export type PassedFilm = {
  readonly verdict: GateVerdict;
  /** Levels of the picture from which the members' views are sampled. */
  readonly levels: FilmLevels;
  /** Part of the picture that is the film; the whole picture if absent. */
  readonly film?: FilmInPicture;
  readonly pose?: ThoraxPose;
};

/** @throws AppError ABORTED */
export async function readFilm(
  call: NetworkCall,
  manifest: LandmarkManifest,
  levels: FilmLevels,
  { widthPx, heightPx }: PictureSize,
  pose: ThoraxPose | null = null,
): Promise<AgreedGeometry> {
  return combineVotes(await readLandmarks(call, manifest, levels, pose), Math.max(widthPx, heightPx));
}
