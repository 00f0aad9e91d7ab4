import { forgetStoredSetting, listStoredSettings } from "../../../store/drafts-store.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { findFilmBySopInstance } from "../../../store/films/dicom/dicom-instances.ts";
import { forgetSetAside, listSetAside, takeOverSetAside } from "../../../store/films/dicom/set-aside-objects.ts";
import {
  forgetWaitingResult,
  keepWaitingResult,
  listWaitingResults,
  type WaitingResult,
} from "../../../store/films/waiting-results.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { filmNoteKeys } from "../../desktop/film-notes.ts";
import { publishFilms } from "../film-news.ts";
import { restoreWaitingResults } from "../import-results.ts";
import { takeOverMarks } from "../marks/foreign-marks.ts";
import { keyFilmsSetting, takeOverKeyFilms } from "../marks/key-films.ts";
import type { HandOver } from "./hand-over-patients.ts";

const marksKeys = filmNoteKeys("marks");

/** Whether anything is left of what was received on drafts without its film, or could not be shown. */
export async function holdsReceived({ db }: Pick<DesktopContext, "db">): Promise<boolean> {
  if ((await listWaitingResults(db)).length > 0 || (await listSetAside(db)).length > 0) return true;
  for (const beginning of [marksKeys, keyFilmsSetting.key])
    if ((await listStoredSettings(db, beginning)).length > 0) return true;
  return false;
}

/**
 * Takes along what was received on drafts without its film, which may be in the practice or come there later, and the
 * list of what could not be shown. Each leaves the drafts when the practice has it; what comes again meanwhile stays.
 */
export async function handOverReceived(stores: HandOver): Promise<void> {
  if (!(await holdsReceived(stores.from))) return;
  await handOverResults(stores);
  await handOverNotes(stores);
  await handOverSetAside(stores);
  stores.to.publish({ name: "dicom.changed", payload: {} });
}

async function handOverResults({ from, to }: HandOver): Promise<void> {
  const waiting = await listWaitingResults(from.db);
  const frames = Map.groupBy(waiting, (result) => `${result.filmSopInstanceUid} ${result.frameIndex}`);
  for (const results of frames.values()) {
    await keepResultsOfFrame(to, results);
    for (const result of results) await forgetWaitingResult(from.db, result);
  }
}

/** All of a frame at once: which of them is exact, and which reading came first, is seen in all of them alone. */
async function keepResultsOfFrame(to: DesktopContext, results: readonly WaitingResult[]): Promise<void> {
  const [first] = results;
  if (first === undefined) return;
  const { filmSopInstanceUid, frameIndex } = first;
  const film = await transaction(to.db, async () => {
    for (const result of results) await keepWaitingResult(to.db, result);
    const there = await findFilmBySopInstance(to.db, filmSopInstanceUid, frameIndex);
    if (there !== null) await restoreWaitingResults(to, there, filmSopInstanceUid);
    return there;
  });
  if (film !== null) await publishFilms(to, [film.id]);
}

/** The rows are read before their values: what comes in between goes over, and once more with the next hand-over. */
async function handOverNotes({ from, to }: HandOver): Promise<void> {
  for (const marks of await listStoredSettings(from.db, marksKeys)) {
    await takeOverMarks(from.db, to, marks.key.slice(marksKeys.length));
    await forgetStoredSetting(from.db, marks);
  }
  for (const lists of await listStoredSettings(from.db, keyFilmsSetting.key)) {
    await takeOverKeyFilms(from.db, to.db);
    await forgetStoredSetting(from.db, lists);
  }
}

/** The files lie beside both stores. One that the practice has found by itself gets its reason and time from here. */
async function handOverSetAside({ from, to }: HandOver): Promise<void> {
  for (const object of await listSetAside(from.db)) {
    await takeOverSetAside(to.db, object);
    await forgetSetAside(from.db, object.id);
  }
}
