import sharp from "sharp";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import type { CropPx, InputPlacement } from "../screens/corner-decoding.ts";

export type Picture = Pick<DecodedImage, "grey" | "colour" | "widthPx" | "heightPx">;

/** A square network input with the position of the picture in it: input = (image + 0.5) * scale - 0.5 + offset. */
export type ColourInput = { readonly input: Float32Array; readonly placement: InputPlacement };

/**
 * Draws a picture, centred, or a square crop of it into a colour network's input, Float32Array [1, 3, side, side]:
 * planes red, green, blue, row-major, 0–1, black outside the picture.
 */
export async function letterboxColour(image: Picture, side: number, crop?: CropPx): Promise<ColourInput> {
  const inside = crop ? wholePixels(crop, image) : { left: 0, top: 0, width: image.widthPx, height: image.heightPx };
  const scale = crop ? side / crop.width : side / Math.max(image.widthPx, image.heightPx);
  const width = Math.min(side, Math.max(1, Math.round(inside.width * scale)));
  const height = Math.min(side, Math.max(1, Math.round(inside.height * scale)));
  const left = crop ? Math.round((inside.left - crop.left) * scale) : Math.floor((side - width) / 2);
  const top = crop ? Math.round((inside.top - crop.top) * scale) : Math.floor((side - height) / 2);
  const channels = image.colour ? 3 : 1;
  const source = sharp(image.colour ?? image.grey, { raw: { width: image.widthPx, height: image.heightPx, channels } });
  const pixels = await source.extract(inside).resize({ width, height, fit: "fill" }).raw().toBuffer();
  const placement = { scale, offsetXPx: left - inside.left * scale, offsetYPx: top - inside.top * scale };
  return { input: toPlanes(pixels, { width, height, left, top }, side), placement };
}

type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

function wholePixels(crop: CropPx, image: Picture): Box {
  const left = Math.max(0, Math.min(image.widthPx - 1, Math.round(crop.left)));
  const top = Math.max(0, Math.min(image.heightPx - 1, Math.round(crop.top)));
  const right = Math.min(image.widthPx, Math.max(left + 1, Math.round(crop.left + crop.width)));
  const bottom = Math.min(image.heightPx, Math.max(top + 1, Math.round(crop.top + crop.height)));
  return { left, top, width: right - left, height: bottom - top };
}

/** A grey picture, one byte per pixel, fills all three planes. */
function toPlanes(pixels: Uint8Array, box: Box, side: number): Float32Array {
  // Shared with the network thread instead of copied.
  const planes = new Float32Array(new SharedArrayBuffer(3 * side * side * Float32Array.BYTES_PER_ELEMENT));
  const channels = pixels.length / (box.width * box.height);
  for (let plane = 0; plane < 3; plane += 1) {
    const channel = channels === 1 ? 0 : plane;
    for (let row = Math.max(0, -box.top); row < box.height && row + box.top < side; row += 1) {
      // A crop's first whole pixel may begin a little before it.
      const first = Math.max(0, -box.left);
      let from = (row * box.width + first) * channels + channel;
      const start = (plane * side + row + box.top) * side;
      let to = start + box.left + first;
      const end = start + Math.min(side, box.left + box.width);
      for (; to < end; to += 1, from += channels) planes[to] = (pixels[from] as number) / 255;
    }
  }
  return planes;
}
