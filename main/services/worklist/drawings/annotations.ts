import { randomUUID } from "node:crypto";
import { AppError, because } from "../../../../core/app-error.ts";
import { isSameCrop } from "../../../../core/cardiac/picture-of-points.ts";
import type { DesktopParsedRequest } from "../../../../core/contract/desktop.ts";
import { annotationSet, type AnnotationVersion } from "../../../../core/contract/desktop/annotations.ts";
import { currentActor } from "../../../store/audit/acting.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import { transaction } from "../../../store/engines/engine.ts";
import {
  appendAnnotations,
  getLatestAnnotations,
  listAnnotations,
  type AnnotationRow,
} from "../../../store/films/annotations.ts";
import { getFilm } from "../../../store/films/films.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { shownPicture } from "../readings/shown-picture.ts";

/** Oldest first. @throws AppError NOT_FOUND */
export async function annotationVersions(db: ReadableDb, filmId: string): Promise<AnnotationVersion[]> {
  await getFilm(db, filmId);
  return (await listAnnotations(db, filmId)).map(toVersion);
}

export async function latestAnnotations(db: ReadableDb, filmId: string): Promise<AnnotationVersion | null> {
  const row = await getLatestAnnotations(db, filmId);
  return row && toVersion(row);
}

/** @throws AppError NOT_FOUND, CONFLICT if another version is current, or another picture of the film is shown */
export async function saveAnnotations(
  context: DesktopContext,
  { filmId, basedOn, who, set }: DesktopParsedRequest<"annotations.save">,
): Promise<AnnotationVersion> {
  const { db } = context;
  const actor = currentActor();
  const row = await transaction(db, async () => {
    const shown = await shownPicture(db, await getFilm(db, filmId));
    if (!isSameCrop(set.corners, shown.corners)) throw new AppError("CONFLICT", because("pictureNotShown"));
    return appendAnnotations(db, {
      id: randomUUID(),
      filmId,
      basedOn,
      atMs: context.now().getTime(),
      who: actor.personId === null ? who || null : actor.who,
      content: JSON.stringify(set),
    });
  });
  context.raise({ name: "annotations.changed", payload: { filmId, version: row.version } });
  return toVersion(row);
}

function toVersion({ version, atMs, who, content }: AnnotationRow): AnnotationVersion {
  return { version, at: new Date(atMs).toISOString(), who, set: annotationSet.parse(JSON.parse(content)) };
}
