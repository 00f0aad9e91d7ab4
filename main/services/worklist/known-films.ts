import { AppError } from "../../../core/app-error.ts";
import { storedInstance, type DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import { temporaryFaultOf } from "../../../core/system-fault.ts";
import { isSamePicture, shapeOfPicture } from "../../imaging/same-picture.ts";
import type { ReadableDb } from "../../store/connection.ts";
import {
  findDicomInstance,
  listFilmsOfInstance,
  type FilmOfInstance,
} from "../../store/films/dicom/dicom-instances.ts";
import { findFilmBySha256, type FilmRow } from "../../store/films/films.ts";
import { findRemovedFilm } from "../../store/films/removed-films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";

/** `instance`: DICOM header, null for other files. */
export type FrameOfFile = {
  readonly sha256: string;
  readonly frameIndex: number;
  readonly instance: DicomInstance | null;
};

export type KnownFilms = {
  readonly listed: FilmRow | null;
  readonly removed: FilmRow | null;
  /** Whether another film on the worklist has the same SOP Instance UID. */
  readonly isUidTaken: boolean;
};

/**
 * Finds films by SHA-256 and SOP Instance UID.
 *
 * @param others  ids of films with another picture, ignored despite an equal UID
 */
export async function findKnownFilms(
  db: ReadableDb,
  { sha256, frameIndex, instance }: FrameOfFile,
  others: ReadonlySet<string>,
): Promise<KnownFilms> {
  const sameBytes = {
    listed: await findFilmBySha256(db, sha256, frameIndex),
    removed: await findRemovedFilm(db, sha256, frameIndex),
  };
  if (!instance?.sopInstanceUid) return { ...sameBytes, isUidTaken: false };
  const films = await listFilmsOfInstance(db, instance.sopInstanceUid, frameIndex);
  const isSame = ({ film, facts }: FilmOfInstance) =>
    !others.has(film.id) && isSameFilm(storedInstance(facts), instance);
  const same = films.filter(isSame);
  const removedLast = same.toSorted((one, other) => (other.removedAtMs ?? 0) - (one.removedAtMs ?? 0))[0];
  return {
    listed: sameBytes.listed ?? same.find(({ removedAtMs }) => removedAtMs === null)?.film ?? null,
    removed: sameBytes.removed ?? (removedLast?.removedAtMs ? removedLast.film : null),
    isUidTaken: films.some((film) => film.removedAtMs === null && !isSame(film)),
  };
}

/** Compares pictures if UIDs are equal. `others`: ids of films with another picture. */
export async function findSameFilm(
  context: DesktopContext,
  bytes: Uint8Array,
  frame: FrameOfFile,
): Promise<KnownFilms & { readonly others: ReadonlySet<string> }> {
  const others = new Set<string>();
  for (;;) {
    const found = await findKnownFilms(context.db, frame, others);
    const film = found.listed ?? found.removed;
    if (film === null || film.sha256 === frame.sha256 || !(await showsOther(context, film, bytes)))
      return { ...found, others };
    others.add(film.id);
  }
}

/** False if the file cannot be decoded. */
async function showsOther(context: DesktopContext, film: FilmRow, bytes: Uint8Array): Promise<boolean> {
  const stored = await findDicomInstance(context.db, film.id);
  if (stored === null) return false;
  try {
    const image = await openRadiograph(context.dicom, bytes, { frameIndex: film.frameIndex });
    return !isSamePicture(stored.shape, await shapeOfPicture(image));
  } catch (error) {
    if (error instanceof AppError && temporaryFaultOf(error) === null) return false;
    throw error;
  }
}

/**
 * Some devices assign UIDs twice. Missing attributes are ignored, since an archive may add the issuer of a Patient ID.
 */
function isSameFilm(one: DicomInstance, other: DicomInstance): boolean {
  return (
    !differ(one.widthPx, other.widthPx) &&
    !differ(one.heightPx, other.heightPx) &&
    !differ(one.patient.id, other.patient.id) &&
    !differ(one.patient.issuer, other.patient.issuer)
  );
}

function differ<Said>(one: Said | null, other: Said | null): boolean {
  return one !== null && other !== null && one !== other;
}
