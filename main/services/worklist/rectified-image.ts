import { latestProposal } from "../../../core/cardiac/agreement/latest-proposal.ts";
import type { Corners } from "../../../core/cardiac/points.ts";
import type { FilmRow } from "../../store/films/films.ts";
import { listReadings } from "../../store/films/readings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { WrittenImage } from "../desktop/film-files.ts";
import { writeFilmImage } from "../desktop/film-images.ts";
import { rectifiedJpeg } from "../measuring/rectified-film.ts";
import { readingDetail } from "./readings/reading-detail.ts";

/** To be stored with the reading whose points refer to it. */
export async function writeRectified(
  context: DesktopContext,
  { sha256, frameIndex }: FilmRow,
  bytes: Uint8Array,
  corners: Corners,
): Promise<WrittenImage> {
  const jpeg = await rectifiedJpeg(context.dicom, bytes, frameIndex, corners);
  return await writeFilmImage(context, sha256, "rectified", jpeg, frameIndex);
}

/** For a restored file; null if the film was not rectified. */
export async function rectifiedAgain(
  { db, dicom }: DesktopContext,
  film: FilmRow,
  bytes: Uint8Array,
): Promise<Uint8Array | null> {
  const measured = latestProposal(await listReadings(db, film.id));
  const corners = measured && readingDetail.parse(JSON.parse(measured.detail)).corners;
  return corners ? rectifiedJpeg(dicom, bytes, film.frameIndex, corners) : null;
}
