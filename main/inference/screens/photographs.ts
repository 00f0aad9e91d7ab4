import { AppError } from "../../../core/app-error.ts";
import type { Corners } from "../../../core/cardiac/points.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { processedLongestSidePx } from "../../imaging/processed-size.ts";
import { spreadLevels } from "../../imaging/level-range.ts";
import { rectify } from "../../imaging/rectify.ts";
import { popMeasurement, rejectedImage, unrectifiedImage } from "../engine-results.ts";
import type { PopFrame } from "../engine-types.ts";
import { readFilm, type Instruments } from "../instruments.ts";
import type { ManifestOf } from "../packs/pack-manifest.ts";
import type { PackRegistry } from "../packs/pack-registry.ts";
import { imageLevels } from "../views/sample-frame.ts";
import { findFilmCorners, judgeImage, rejectFilm, toFullSize } from "./colour-networks.ts";
import { framingOf } from "./film-framing.ts";
import type { GateVerdict } from "./gate-decoding.ts";

export type FoundCorners = () => Promise<Corners | null>;

export function isPopEnabled(registry: PackRegistry): boolean {
  return registry.active("landmarks-pop") !== null && registry.active("corners") !== null;
}

/**
 * Measures an image as a photograph of a screen, even if the gate classifies it as a direct film.
 *
 * @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED, ABORTED
 */
export async function measurePhotograph(instruments: Instruments, photo: DecodedImage): Promise<PopFrame> {
  const { registry, call } = instruments;
  const gate = registry.active("gate");
  if (!gate) throw new AppError("MODELS_NOT_LOADED");
  const verdict = await judgeImage(call, gate, photo, imageLevels(photo));
  return measureStraightened(instruments, photo, gate, verdict, () => findCorners(instruments, photo), true);
}

/**
 * The levels of a pale screenshot are spread.
 *
 * @throws AppError POP_NOT_LOADED, ABORTED
 */
export async function measureStraightened(
  instruments: Instruments,
  photo: DecodedImage,
  gate: ManifestOf<"gate">,
  verdict: GateVerdict,
  cornersOf: FoundCorners,
  isFromCamera: boolean,
): Promise<PopFrame> {
  const { registry, call, signal, programVersion } = instruments;
  const landmarks = registry.active("landmarks-pop");
  if (!landmarks || !isPopEnabled(registry)) throw new AppError("POP_NOT_LOADED");
  const refused = (by: GateVerdict): PopFrame => ({
    film: null,
    measurement: rejectedImage(photo, by, landmarks, programVersion),
  });
  if (verdict.kind === "neither") return refused(verdict);
  const corners = await cornersOf();
  const framing = corners ? framingOf(corners, photo) : "none";
  if (!corners || framing === "none")
    return { film: null, measurement: unrectifiedImage(photo, verdict, landmarks, programVersion) };
  const options = { longestSidePx: processedLongestSidePx, ...(signal ? { signal } : {}) };
  const film = await rectify(photo, toFullSize(corners, photo), options);
  const levels = imageLevels(isFromCamera ? film : { ...film, grey: spreadLevels(film.grey) ?? film.grey });
  const rejection = await rejectFilm(call, gate, levels);
  if (rejection) return refused(rejection);
  const geometry = await readFilm(call, landmarks, levels, film);
  const { sharpnessHigh } = landmarks.decoding;
  const { widthPx, heightPx } = film;
  const frame = { sha256: photo.sha256, widthPx, heightPx, fullWidthPx: photo.fullWidthPx };
  return {
    film,
    measurement: popMeasurement(frame, corners, framing, geometry, sharpnessHigh, verdict, landmarks, programVersion),
  };
}

/** TL,TR,BR,BL [px of the processed photograph]; null if no film is found. */
export async function findCorners({ registry, call }: Instruments, photo: DecodedImage): Promise<Corners | null> {
  const corners = registry.active("corners");
  if (!corners || !isPopEnabled(registry)) throw new AppError("POP_NOT_LOADED");
  return findFilmCorners(call, corners, photo);
}
