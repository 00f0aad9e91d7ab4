/** Window over the samples of a grey picture: `centre` is shown as middle grey, `width` spans black to white. */
export type SampleWindow = { readonly centre: number; readonly width: number };

export function shownSamples(samples: Uint8Array | Uint16Array, { centre, width }: SampleWindow): Uint8Array {
  const shades = new Uint8ClampedArray(samples instanceof Uint8Array ? 256 : 65_536);
  for (let sample = 0; sample < shades.length; sample += 1)
    shades[sample] = Math.round(255 * ((sample - centre) / width + 0.5));
  const shown = new Uint8Array(samples.length);
  for (let index = 0; index < shown.length; index += 1) shown[index] = shades[samples[index] as number] as number;
  return shown;
}

export function wholeRange(bits: number): SampleWindow {
  const most = 2 ** bits - 1;
  return { centre: most / 2, width: most };
}
