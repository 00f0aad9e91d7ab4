import { listFilmsWithImage, setKeptImages } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { deleteImagesOf, publishFilm } from "./films.ts";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Deletes the images that the setting "keep images" no longer keeps. Films that still wait to be measured keep theirs.
 *
 * @param isStart  the program is starting: images that were to be kept only while it was open go now
 */
export async function applyImageRetention(context: DesktopContext, isStart: boolean): Promise<void> {
  const { keepImages, keepImagesDays } = getDesktopSettings(context.db);
  if (keepImages === "until_removed" || (keepImages === "while_open" && !isStart)) return;
  const beforeMs = keepImages === "days" ? context.now().getTime() - keepImagesDays * dayMs : Number.MAX_SAFE_INTEGER;
  for (const film of listFilmsWithImage(context.db, beforeMs)) {
    if (film.queueNumber !== null) continue;
    setKeptImages(context.db, film.id, { hasImage: false, hasRectified: false });
    await deleteImagesOf(context, film);
    publishFilm(context, film.id);
  }
}
