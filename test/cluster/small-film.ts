import sharp from "sharp";
import { texturedFilm } from "../fixtures/textured-film.ts";

export async function smallFilm(): Promise<string> {
  const [widthPx, heightPx] = [320, 240];
  const grey = texturedFilm(2, { widthPx, heightPx });
  const raw = { width: widthPx, height: heightPx, channels: 1 } as const;
  return (await sharp(grey, { raw }).jpeg().toBuffer()).toString("base64");
}
