import sharp from "sharp";

export type GreyPicture = { readonly grey: Uint8Array; readonly width: number; readonly height: number };

export async function greyOf(bytes: Buffer): Promise<GreyPicture> {
  const { data, info } = await sharp(bytes).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  return { grey: new Uint8Array(data), width: info.width, height: info.height };
}

export async function filmForms(film: GreyPicture): Promise<Readonly<Record<string, Buffer>>> {
  const raw = { width: film.width, height: film.height };
  const grey = () => sharp(film.grey, { raw: { ...raw, channels: 1 } });
  const deep = () =>
    sharp(
      Uint16Array.from(film.grey, (value) => value * 257),
      { raw: { ...raw, channels: 1 } },
    );
  return {
    "8-bit grey PNG": await grey().toColourspace("b-w").png().toBuffer(),
    "16-bit grey PNG": await deep().toColourspace("grey16").png().toBuffer(),
    "colour PNG": await grey().toColourspace("srgb").png().toBuffer(),
    "16-bit colour PNG": await deep().toColourspace("rgb16").png().toBuffer(),
    "PNG with alpha": await grey().toColourspace("srgb").ensureAlpha().png().toBuffer(),
    "palette PNG": await grey().png({ palette: true, colours: 256, dither: 0 }).toBuffer(),
    "interlaced PNG": await grey().toColourspace("b-w").png({ progressive: true }).toBuffer(),
    "grey JPEG": await grey().toColourspace("b-w").jpeg({ quality: 98 }).toBuffer(),
    "colour JPEG": await grey().toColourspace("srgb").jpeg({ quality: 98, chromaSubsampling: "4:4:4" }).toBuffer(),
    "progressive JPEG": await grey().toColourspace("b-w").jpeg({ quality: 98, progressive: true }).toBuffer(),
  };
}
