import { AppError } from "../../../core/app-error.ts";
import type { Corners, Point } from "../../../core/cardiac/points.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { rectify } from "../../imaging/rectify.ts";
import { validateCorners } from "../../imaging/validate-corners.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

export type StraightenedFilm = { readonly jpeg: Buffer; readonly widthPx: number; readonly heightPx: number };

/**
 * Finds the film in a photograph of a screen.
 *
 * @returns corners TL, TR, BR, BL [px of the full-size upright photograph]
 * @throws AppError CORNERS_NOT_FOUND, POP_NOT_LOADED, BUSY, ABORTED, and errors of `decodeImage`
 */
export function cornersOf(
  context: ServiceContext,
  image: Uint8Array,
  signal: AbortSignal,
): Promise<{ corners: Corners; photo: DecodedImage }> {
  return withPhoto(context, image, signal, async (photo) => ({
    corners: await findCorners(context, photo, signal),
    photo,
  }));
}

/**
 * @param corners  TL, TR, BR, BL
 *
 * @throws AppError INVALID_CORNERS, POP_NOT_LOADED, BUSY, ABORTED, and errors of `decodeImage`
 */
export function rectifyPhoto(
  context: ServiceContext,
  image: Uint8Array,
  corners: readonly (readonly number[])[],
  signal: AbortSignal,
): Promise<StraightenedFilm> {
  return withPhoto(context, image, signal, (photo) =>
    straighten(photo, validateCorners(corners, { widthPx: photo.fullWidthPx, heightPx: photo.fullHeightPx }), signal),
  );
}

/** Finds and rectifies the film in a photograph. @throws AppError as `cornersOf` */
export function preprocessPhoto(
  context: ServiceContext,
  image: Uint8Array,
  signal: AbortSignal,
): Promise<{ corners: Corners; film: StraightenedFilm }> {
  return withPhoto(context, image, signal, async (photo) => {
    const corners = await findCorners(context, photo, signal);
    return { corners, film: await straighten(photo, corners, signal) };
  });
}

/** Bytes per pixel while a film is rectified at full size: photograph plus film. */
const straighteningChannels = 6;

/** Rectification needs no network, but is refused like the other steps without the PoP networks. */
async function withPhoto<T>(
  context: ServiceContext,
  image: Uint8Array,
  signal: AbortSignal,
  work: (photo: DecodedImage) => Promise<T>,
): Promise<T> {
  if (!context.engine.health().isPopEnabled) throw new AppError("POP_NOT_LOADED");
  using places = context.queue.reserve(1);
  return await places.run(image, async (decode) => work(await decode()), signal, straighteningChannels);
}

async function findCorners(context: ServiceContext, photo: DecodedImage, signal: AbortSignal): Promise<Corners> {
  const corners = await context.engine.findCorners(photo, { signal });
  if (corners === null) throw new AppError("CORNERS_NOT_FOUND");
  const [tl, tr, br, bl] = corners;
  return [asSent(tl), asSent(tr), asSent(br), asSent(bl)];
}

/** Rounds corners to two decimals before rectification, so that the returned corners reproduce the film. */
function asSent({ x, y }: Point): Point {
  return { x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 };
}

async function straighten(photo: DecodedImage, corners: Corners, signal: AbortSignal): Promise<StraightenedFilm> {
  const film = await rectify(photo, corners, { signal });
  return { jpeg: await film.toJpeg(), widthPx: film.widthPx, heightPx: film.heightPx };
}
