import { createHash } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import type { CaptureFrame } from "../../../core/cardiac/capture/agreeing-frames.ts";
import { isGoodAlone } from "../../../core/cardiac/capture/capture-session.ts";
import { reducedPicture, type SmallPicture } from "../../../core/cardiac/capture/small-picture.ts";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { decodeImage } from "../../imaging/decode-image.ts";
import type { PopFrame } from "../../inference/engine-types.ts";
import type { ServiceContext } from "./service-context.ts";
import type { QueuePlaces } from "./work-queue.ts";

export type FilmFrame = CaptureFrame & { readonly film: Buffer };

/** `candidate` is null if the frame cannot contribute to the result. */
export type MeasuredFrame = PopFrame & { readonly candidate: FilmFrame | null };

/** @throws AppError MODELS_NOT_LOADED, POP_NOT_LOADED, ABORTED, and errors of `decodeImage` */
export async function measureFrame(
  { engine }: Pick<ServiceContext, "engine">,
  places: QueuePlaces,
  image: Uint8Array,
  signal: AbortSignal,
): Promise<MeasuredFrame> {
  const { canMeasure, isPopEnabled } = engine.health();
  if (!canMeasure) throw new AppError("MODELS_NOT_LOADED");
  if (!isPopEnabled) throw new AppError("POP_NOT_LOADED");
  const frame = await places.run(image, async (decode) => engine.measurePhotograph(await decode(), { signal }), signal);
  return { ...frame, candidate: await candidateOf(frame) };
}

async function candidateOf({ film, measurement }: PopFrame): Promise<FilmFrame | null> {
  if (!film || !isGoodAlone(measurement)) return null;
  return filmFrame(measurement, reducedPicture(film.grey, film), await film.toJpeg());
}

export async function reopenedFrame(measurement: MeasuredRadiograph, film: Buffer): Promise<FilmFrame> {
  const { grey, widthPx, heightPx } = await decodeImage(film);
  return filmFrame(measurement, reducedPicture(grey, { widthPx, heightPx }), film);
}

function filmFrame(measurement: MeasuredRadiograph, picture: SmallPicture, film: Buffer): FilmFrame {
  return { measurement, picture, film, filmSha256: createHash("sha256").update(film).digest("hex") };
}
