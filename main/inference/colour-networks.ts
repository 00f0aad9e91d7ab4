import type { DecodedImage } from "../imaging/decode-image.ts";
import { cornersInOtherSize, type Corners } from "../imaging/validate-corners.ts";
import { letterboxColour, type Picture } from "./colour-letterbox.ts";
import { refineCorners } from "./corner-refinement.ts";
import { decodeCorners, secondLookCrop, type CropPx } from "./corner-decoding.ts";
import type { FilmLevel } from "./film-kernel.ts";
import { decodeGate, type GateVerdict } from "./gate-decoding.ts";
import type { NetworkCall } from "./network-calls.ts";
import { cornerDecodingSchema, gateDecodingSchema } from "./pack-decodings.ts";
import type { NetworkManifest } from "./pack-manifest.ts";

/**
 * Asks the gate what the image is. A grey one it sees as `imageLevels` gives it, which costs next to nothing.
 *
 * @param levels  the image's luma
 */
export async function judgeImage(call: NetworkCall, manifest: NetworkManifest, image: Picture, levels: readonly FilmLevel[]): Promise<GateVerdict> {
  if (!image.colour) return judgeFilm(call, manifest, levels);
  const { input } = await letterboxColour(image, inputSide(manifest));
  return decodeGate(await call("run", { kind: "gate", input }), gateDecodingSchema.parse(manifest.decoding));
}

async function judgeFilm(call: NetworkCall, manifest: NetworkManifest, levels: readonly FilmLevel[]): Promise<GateVerdict> {
  return decodeGate(await call("judge", { levels }), gateDecodingSchema.parse(manifest.decoding));
}

/**
 * Asks the gate about the film out of a photograph: another picture on the screen shows itself once the screen is gone.
 *
 * @returns  the verdict when the film is no lateral thorax, null when it may be one or the pack does not judge films
 */
export async function rejectFilm(call: NetworkCall, manifest: NetworkManifest, film: readonly FilmLevel[]): Promise<GateVerdict | null> {
  const limit = gateDecodingSchema.parse(manifest.decoding).rejectRectifiedAtOrAbove;
  if (limit === undefined) return null;
  const { probabilities } = await judgeFilm(call, manifest, film);
  return probabilities.neither >= limit ? { kind: "neither", confidence: probabilities.neither, probabilities } : null;
}

/**
 * Looks for the displayed film in a photograph of a screen, again closer where it is small, and moves the corners onto its border.
 *
 * @returns TL,TR,BR,BL [px of the processed photograph], null when none is seen
 */
export async function findFilmCorners(call: NetworkCall, manifest: NetworkManifest, photo: DecodedImage): Promise<Corners | null> {
  const decoding = cornerDecodingSchema.parse(manifest.decoding);
  const size = { width: photo.widthPx, height: photo.heightPx };
  const look = async (crop?: CropPx) => {
    const { input, placement } = await letterboxColour(photo, inputSide(manifest), crop);
    return decodeCorners(await call("run", { kind: "corners", input }), placement, size, decoding);
  };
  const first = await look();
  if (!first) return null;
  const crop = secondLookCrop(first, size, decoding);
  const second = crop && (await look(crop));
  return refineCorners({ data: photo.grey, ...size }, second ?? first);
}

/** Corners of the processed image in pixels of the full-size upright one. */
export function toFullSize(corners: Corners, image: DecodedImage): Corners {
  return cornersInOtherSize(corners, image, { widthPx: image.fullWidthPx, heightPx: image.fullHeightPx });
}

function inputSide(manifest: NetworkManifest): number {
  return manifest.input.shape.at(-1) as number;
}
