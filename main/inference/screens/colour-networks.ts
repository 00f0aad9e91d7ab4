import { type Corners, cornersInOtherSize, type PictureSize } from "../../../core/cardiac/points.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { areFilmCorners } from "../../imaging/validate-corners.ts";
import { letterboxColour, type Picture } from "../views/colour-letterbox.ts";
import { refineCorners } from "./corner-refinement.ts";
import { decodeCorners, secondLookCrop, type CropPx } from "./corner-decoding.ts";
import type { FilmLevels } from "../views/film-levels.ts";
import type { NetworkFrame } from "../views/landmark-frames.ts";
import { decodeGate, asRefused, type GateVerdict } from "./gate-decoding.ts";
import type { NetworkCall } from "../threads/network-calls.ts";
import type { ManifestOf } from "../packs/pack-manifest.ts";
import { inputSidePx } from "../packs/pack-tensors.ts";

/** A grey image is sampled from its levels, at almost no cost. */
export async function judgeImage(
  call: NetworkCall,
  manifest: ManifestOf<"gate">,
  image: Picture,
  levels: FilmLevels,
): Promise<GateVerdict> {
  if (!image.colour) return judgeFilm(call, manifest, levels, null);
  const { input } = await letterboxColour(image, inputSidePx(manifest));
  return decodeGate(await call("run", { kind: "gate", input }), manifest.decoding);
}

export async function judgeFilm(
  call: NetworkCall,
  manifest: ManifestOf<"gate">,
  levels: FilmLevels,
  frame: NetworkFrame | null,
): Promise<GateVerdict> {
  return decodeGate(await call("judge", { levels, frame }), manifest.decoding);
}

/**
 * Runs the gate on the film cut out of a photograph: without the screen around it, another kind of picture is
 * recognised. null if it may be a lateral thorax.
 */
export async function rejectFilm(
  call: NetworkCall,
  manifest: ManifestOf<"gate">,
  film: FilmLevels,
): Promise<GateVerdict | null> {
  const { rejectAtOrAbove, rejectRectifiedAtOrAbove: limit = rejectAtOrAbove } = manifest.decoding;
  const verdict = await judgeFilm(call, manifest, film, null);
  return verdict.probabilities.neither >= limit ? asRefused(verdict) : null;
}

/**
 * Finds the displayed film in a photograph of a screen, with a second, closer look if it is small, and moves the
 * corners to its border. TL,TR,BR,BL [px of the processed photograph]; null if no film is found that can be cut out.
 */
export async function findFilmCorners(
  call: NetworkCall,
  manifest: ManifestOf<"corners">,
  photo: DecodedImage,
): Promise<Corners | null> {
  const decoding = manifest.decoding;
  const look = async (crop?: CropPx) => {
    const { input, placement } = await letterboxColour(photo, inputSidePx(manifest), crop);
    return decodeCorners(await call("run", { kind: "corners", input }), placement, photo, decoding);
  };
  const first = await look();
  if (!first) return null;
  const crop = secondLookCrop(first, photo, decoding);
  const second = crop && (await look(crop));
  const corners = refineCorners(photo, second ?? first);
  return areFilmCorners(toFullSize(corners, photo), fullSizeOf(photo)) ? corners : null;
}

/** Converts corners of the processed image to pixels of the full-size upright one. */
export function toFullSize(corners: Corners, image: DecodedImage): Corners {
  return cornersInOtherSize(corners, image, fullSizeOf(image));
}

function fullSizeOf({ fullWidthPx, fullHeightPx }: DecodedImage): PictureSize {
  return { widthPx: fullWidthPx, heightPx: fullHeightPx };
}
