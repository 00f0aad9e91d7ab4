import { z } from "zod";
import { inOtherSize } from "../../../../core/cardiac/points.ts";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import type { AddedFilm } from "../../../../core/contract/desktop/films.ts";
import { foreignMarks, type ForeignMarks } from "../../../../core/contract/desktop/network/marks.ts";
import type { MarksOnFilms } from "../../../dicom/presentation/read-presentation.ts";
import { processedSizePx } from "../../../imaging/processed-size.ts";
import { findDicomInstance, findFilmBySopInstance } from "../../../store/films/dicom/dicom-instances.ts";
import { getFilm } from "../../../store/films/films.ts";
import { changeSetting, getSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { filmNote } from "../../desktop/film-notes.ts";
import { getFilmView } from "../film-view.ts";
import { publishFilm } from "../film-events.ts";

const keptMarks = foreignMarks.extend({ frameNumber: z.int() });
type KeptMarks = z.infer<typeof keptMarks>;
const maxSets = 20;

function marksSetting(sopInstanceUid: string): Setting<readonly KeptMarks[]> {
  return filmNote("marks", sopInstanceUid, { schema: z.array(keptMarks), fallback: [] });
}

/**
 * Stores marks drawn in another program, also for films that arrive later.
 *
 * @returns a film with these marks; null if none is on the worklist
 */
export async function saveForeignMarks(
  context: DesktopContext,
  { films, ...said }: MarksOnFilms,
): Promise<AddedFilm | null> {
  let found: AddedFilm | null = null;
  for (const { sopInstanceUid, frameNumber, marks } of films) {
    const set = { ...said, frameNumber, marks: [...marks] };
    await changeSetting(context.db, marksSetting(sopInstanceUid), (sets) => withMarks(sets, set));
    const film = await findFilmBySopInstance(context.db, sopInstanceUid, frameNumber - 1);
    if (film) found = { film: await publishFilm(context, film.id), isNew: false };
  }
  context.raise({ name: "dicom.changed", payload: {} });
  return found;
}

/** Newest first, one set per presentation state and frame. */
function withMarks(sets: readonly KeptMarks[], newer: KeptMarks): readonly KeptMarks[] {
  const isReplaced = (set: KeptMarks) =>
    set.sopInstanceUid === newer.sopInstanceUid && set.frameNumber === newer.frameNumber;
  return [newer, ...sets.filter((set) => !isReplaced(set))].slice(0, maxSets);
}

/** In pixels of the processed film. @throws AppError NOT_FOUND */
export async function listMarks({ db }: DesktopContext, filmId: string): Promise<DesktopResponse<"marks.list">> {
  const film = await getFilm(db, filmId);
  const frame = processedSizePx(film);
  const { dicom } = await getFilmView(db, filmId);
  const sopInstanceUid = (await findDicomInstance(db, filmId))?.sopInstanceUid;
  if (!sopInstanceUid || !dicom?.widthPx || !dicom.heightPx) return { frame, sets: [] };
  const stored = { widthPx: dicom.widthPx, heightPx: dicom.heightPx };
  const inFrame = (set: ForeignMarks): ForeignMarks => ({
    ...foreignMarks.parse(set),
    marks: set.marks.map((mark) => ({
      ...mark,
      points: mark.points.map((point) => inOtherSize(point, stored, frame)),
    })),
  });
  const sets = await getSetting(db, marksSetting(sopInstanceUid));
  return { frame, sets: sets.filter(({ frameNumber }) => frameNumber === film.frameIndex + 1).map(inFrame) };
}
