import { pictureByHand } from "../../../../core/cardiac/picture-of-points.ts";
import { processedSizePx } from "../../../imaging/processed-size.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import type { FilmRow } from "../../../store/films/films.ts";
import { listProposedDetails } from "../../../store/films/readings.ts";
import { readingDetail, type ReadingDetail } from "./reading-detail.ts";

/** Picture of a film that readings refer to. */
export type ShownPicture = Pick<ReadingDetail, "frame" | "popDetected" | "corners">;

/** @see pictureByHand */
export async function shownPicture(db: ReadableDb, film: FilmRow): Promise<ShownPicture> {
  return (await shownPictures(db, [film])).get(film.id) as ShownPicture;
}

export async function shownPictures(
  db: ReadableDb,
  films: readonly FilmRow[],
): Promise<ReadonlyMap<string, ShownPicture>> {
  const cut = films.filter(({ hasRectified }) => hasRectified).map(({ id }) => id);
  const proposed = await listProposedDetails(db, cut);
  return new Map(
    films.map((film) => {
      const readings = (proposed.get(film.id) ?? []).map((detail) => ({
        source: "model" as const,
        ...readingDetail.parse(JSON.parse(detail)),
      }));
      return [film.id, pictureByHand({ hasRectified: film.hasRectified, frame: processedSizePx(film) }, readings)];
    }),
  );
}
