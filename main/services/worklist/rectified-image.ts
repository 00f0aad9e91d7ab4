import type { Point } from "../../../core/cardiac/points.ts";
import { setKeptImages, type FilmRow } from "../../store/films/films.ts";
import { listReadings } from "../../store/films/readings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { saveFilmImage } from "../desktop/film-images.ts";
import { rectifiedJpeg } from "../measuring/rectified-film.ts";
import { readingDetail } from "./readings/reading-detail.ts";

/** Keeps the film that was cut out of a photograph of a screen: the points of its reading refer to it. */
export async function saveRectified(
  context: DesktopContext,
  { sha256, frameIndex }: FilmRow,
  bytes: Uint8Array,
  corners: readonly Point[],
): Promise<void> {
  const jpeg = await rectifiedJpeg(context.dicom, bytes, frameIndex, corners);
  await saveFilmImage(context, sha256, "rectified", jpeg, frameIndex);
}

/** The same of a film that comes back with the readings that it had. */
export async function saveRectifiedAgain(context: DesktopContext, film: FilmRow, bytes: Uint8Array): Promise<void> {
  const measured = (await listReadings(context.db, film.id)).findLast(({ source }) => source === "model");
  const corners = measured && readingDetail.parse(JSON.parse(measured.detail)).corners;
  if (!corners) return;
  await saveRectified(context, film, bytes, corners);
  await setKeptImages(context.db, film.id, { hasImage: true, hasRectified: true });
}
