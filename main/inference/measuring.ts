import { AppError } from "../../core/app-error.ts";
import type { RadiographMeasurement } from "../../core/cardiac/radiograph-measurement.ts";
import { processedLongestSidePx, type DecodedImage } from "../imaging/decode-image.ts";
import { rectify } from "../imaging/rectify.ts";
import type { Corners } from "../imaging/validate-corners.ts";
import { findFilmCorners, judgeImage, rejectFilm, toFullSize } from "./colour-networks.ts";
import { combineVotes, type AgreedGeometry } from "./combine-votes.ts";
import { directMeasurement, popMeasurement, rejectedImage, unrectifiedImage } from "./engine-results.ts";
import type { PopFrame } from "./engine-types.ts";
import type { GateVerdict } from "./gate-decoding.ts";
import { landmarkDecodingSchema } from "./landmark-decoding.ts";
import type { NetworkClient } from "./network-client.ts";
import type { PackRegistry } from "./pack-registry.ts";
import { readLandmarks, type LandmarkPack } from "./read-landmarks.ts";

/** What measuring needs: the packs in use, the thread that runs them, and the version that signs the result. */
export type Instruments = {
  readonly registry: PackRegistry;
  readonly client: () => Promise<NetworkClient>;
  readonly programVersion: string;
};

/** A photograph needs the corner network and its own landmark network. */
export function isPopEnabled(registry: PackRegistry): boolean {
  return registry.active("landmarks-pop") !== null && registry.active("corners") !== null;
}

/** Gate first; without a gate every image is taken for a direct film. */
export async function measure(instruments: Instruments, image: DecodedImage, signal?: AbortSignal): Promise<RadiographMeasurement> {
  const { registry, client, programVersion } = instruments;
  const landmarks = registry.active("landmarks");
  if (!landmarks) throw new AppError("MODELS_NOT_LOADED");
  const gate = registry.active("gate");
  const verdict = gate ? await judgeImage(await client(), gate.manifest, image, signal) : null;
  switch (verdict?.kind) {
    case "neither":
      return rejectedImage(image, verdict, landmarks.manifest, programVersion);
    case "pop": {
      if (!isPopEnabled(registry)) return unrectifiedImage(image, verdict, landmarks.manifest, programVersion);
      const { film, measurement } = await measurePhotograph(instruments, image, verdict, signal);
      const rejection = gate && film && (await rejectFilm(await client(), gate.manifest, film, signal));
      return rejection ? rejectedImage(image, rejection, landmarks.manifest, programVersion) : measurement;
    }
    case "direct":
    case undefined: {
      const geometry = await readFilm(instruments, landmarks, image, signal);
      return directMeasurement(image, geometry, verdict, landmarks.manifest, programVersion);
    }
  }
}

/**
 * Corners, rectification, the network for photographs.
 *
 * @param verdict  null when nobody asked the gate
 */
export async function measurePhotograph(instruments: Instruments, photo: DecodedImage, verdict: GateVerdict | null, signal?: AbortSignal): Promise<PopFrame> {
  const { registry, programVersion } = instruments;
  const pack = registry.active("landmarks-pop");
  if (!pack) throw new AppError("POP_NOT_LOADED");
  const corners = await findCorners(instruments, photo, signal);
  if (!corners) return { film: null, measurement: unrectifiedImage(photo, verdict, pack.manifest, programVersion) };
  const options = { longestSidePx: processedLongestSidePx, ...(signal ? { signal } : {}) };
  const film = await rectify(photo, toFullSize(corners, photo), options);
  const geometry = await readFilm(instruments, pack, film, signal);
  const { sharpnessHigh } = landmarkDecodingSchema.parse(pack.manifest.decoding);
  const frame = { sha256: photo.sha256, widthPx: film.widthPx, heightPx: film.heightPx };
  return { film, measurement: popMeasurement(frame, corners, geometry, sharpnessHigh, verdict, pack.manifest, programVersion) };
}

/**
 * The film's corners in a photograph.
 *
 * @returns TL,TR,BR,BL [px of the processed photograph], null when no film is seen
 */
export async function findCorners({ registry, client }: Instruments, photo: DecodedImage, signal?: AbortSignal): Promise<Corners | null> {
  const pack = registry.active("corners");
  if (!pack || !isPopEnabled(registry)) throw new AppError("POP_NOT_LOADED");
  return findFilmCorners(await client(), pack.manifest, photo, signal);
}

type Film = { readonly grey: Uint8Array; readonly widthPx: number; readonly heightPx: number };

async function readFilm({ client }: Instruments, pack: LandmarkPack, film: Film, signal?: AbortSignal): Promise<AgreedGeometry> {
  const image = { data: film.grey, width: film.widthPx, height: film.heightPx };
  const reading = await readLandmarks(await client(), pack, image, signal);
  return combineVotes(reading, Math.max(film.widthPx, film.heightPx));
}
