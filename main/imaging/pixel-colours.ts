/** Rec.601 luma, on which the networks were trained, of interleaved red, green and blue. */
export function lumaOf(colour: Uint8Array): Uint8Array {
  const grey = new Uint8Array(colour.length / 3);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel += 1, at += 3) {
    // The weights, in units of 1/65536, sum to 65536: white stays 255.
    grey[pixel] =
      ((colour[at] as number) * 19595 +
        (colour[at + 1] as number) * 38470 +
        (colour[at + 2] as number) * 7471 +
        32768) >>
      16;
  }
  return grey;
}

/** Luma of a picture, and its colours if it has any: many programs write grey films with three equal channels. */
export function greyAndColour(pixels: Uint8Array): { readonly grey: Uint8Array; readonly colour: Uint8Array | null } {
  const grey = equalChannels(pixels);
  return grey ? { grey, colour: null } : { grey: lumaOf(pixels), colour: pixels };
}

/** The common channel of a grey picture, equal to its luma; null if any pixel has a colour. */
function equalChannels(pixels: Uint8Array): Uint8Array | null {
  const grey = new Uint8Array(pixels.length / 3);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel += 1, at += 3) {
    const red = pixels[at] as number;
    if (red !== pixels[at + 1] || red !== pixels[at + 2]) return null;
    grey[pixel] = red;
  }
  return grey;
}

export function greyAsColour(grey: Uint8Array | Uint16Array): Uint8Array {
  const colour = new Uint8Array(3 * grey.length);
  for (let index = 0; index < grey.length; index += 1) colour.fill(grey[index] as number, 3 * index, 3 * index + 3);
  return colour;
}

/**
 * Converts interleaved CMYK (255 = full ink) without a profile: each ink is the complement of its light, as in the
 * programs that write such files. A standard press profile would change the blacks by a tenth of the range.
 */
export function colourOfCmyk(inks: Uint8Array): Uint8Array {
  const colour = new Uint8Array((inks.length / 4) * 3);
  for (let from = 0, to = 0; from < inks.length; from += 4, to += 3) {
    const light = 255 - (inks[from + 3] as number);
    for (let ink = 0; ink < 3; ink += 1)
      colour[to + ink] = Math.round(((255 - (inks[from + ink] as number)) * light) / 255);
  }
  return colour;
}
