/** A logo is printed about 5 cm wide; a higher resolution is invisible [px]. */
const most = { widthPx: 600, heightPx: 200 } as const;

/** A picture as a small PNG in a data address; null when it cannot be read. */
export async function shrunkLogo(file: File): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, most.widthPx / picture.width, most.heightPx / picture.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
