import { randomUUID } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { Opening } from "../../../core/contract/desktop/practice/opening.ts";
import { readOpeningLink, type OpeningTarget } from "../../../core/opening/opening-target.ts";
import { findFilmBySopInstance } from "../../store/films/dicom/dicom-instances.ts";
import { findPatient, findPatientByUuid, type PatientRow } from "../../store/films/patients.ts";
import { getSetting, watchedFoldersSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { importBytes } from "../import/import-files.ts";
import { isWithin } from "../import/is-within.ts";
import { importPath } from "../import/opened-paths.ts";
import { patientOfDicomId, patientsOfMicrochip, patientsOfNumber } from "../worklist/orders/named-patient.ts";

/** Requests of other programs to show data; the newest one waits until a page claims it. */
export type Openings = ReturnType<typeof createOpenings>;

export function createOpenings(context: DesktopContext) {
  let waiting: { readonly opening: Opening } | { readonly fault: AppError } | null = null;
  let offered: { readonly openingId: string; readonly file: string } | null = null;
  const show = (next: NonNullable<typeof waiting>) => {
    waiting = next;
    context.publish({ name: "opening.asked", payload: {} });
  };
  const showFound = (opening: Opening): Opening => {
    show({ opening });
    return opening;
  };
  const offer = async (named: string): Promise<Opening> => {
    const file = await allowedFile(context, named);
    offered = { openingId: randomUUID(), file };
    const [fileName, folder] = [path.basename(file), path.dirname(file)];
    return { kind: "file", openingId: offered.openingId, fileName, folder };
  };
  return {
    /**
     * Handles an untrusted link: shows existing data, and asks the user before it opens a file.
     *
     * @returns the error also shown on the page; null on success
     */
    async openLink(link: string) {
      try {
        const target = readOpeningLink(link);
        showFound(target.kind === "file" ? await offer(target.value) : await findTarget(context, target));
        return null;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        show({ fault: error });
        return error;
      }
    },
    /** @throws AppError fault of the file */
    async askWithFilm(name: string, bytes: Uint8Array) {
      const { films, faults } = await importBytes(context, { name, bytes, origin: "file" }, false);
      if (films[0]) return showFound({ kind: "film", filmId: films[0].film.id });
      const { code, message, reason = message } = faults[0] ?? failureOf(noFilm());
      throw new AppError(code as ErrorCode, reason);
    },
    /** Returns the waiting request once. @throws AppError if it cannot be shown */
    claim() {
      const claimed = waiting;
      waiting = null;
      if (claimed === null) return null;
      if ("fault" in claimed) throw claimed.fault;
      return claimed.opening;
    },
    /** Opens the file after the user's consent. @throws AppError NOT_FOUND, or fault of the file */
    async import(openingId: string) {
      if (offered?.openingId !== openingId) throw new AppError("NOT_FOUND");
      // The file may have been replaced since the offer.
      const file = await allowedFile(context, offered.file);
      offered = null;
      return importPath(context, file);
    },
  };
}

/** @throws AppError NOT_FOUND */
async function findTarget({ db }: DesktopContext, { kind, value, issuer }: OpeningTarget): Promise<Opening> {
  const among = (rows: readonly (PatientRow | null)[]): Opening => {
    const [one, ...others] = rows.filter((row) => row !== null);
    if (!one) throw new AppError("NOT_FOUND", because("openingNotFound", { value }));
    return others.length > 0 ? { kind: "patients", search: value } : { kind: "patient", patientId: one.id };
  };
  switch (kind) {
    case "number":
      return among(await patientsOfNumber(db, value));
    case "uuid":
      return among([(await findPatientByUuid(db, value)) ?? (await findPatient(db, value))]);
    case "dicom":
      return among(issuer === null ? await patientsOfNumber(db, value) : [await patientOfDicomId(db, value, issuer)]);
    case "microchip":
      return among(await patientsOfMicrochip(db, value));
    case "instance": {
      const film = await findFilmBySopInstance(db, value, 0);
      if (film === null) throw new AppError("NOT_FOUND", because("openingNotFound", { value }));
      return { kind: "film", filmId: film.id };
    }
    case "file":
      throw new AppError("INVALID_FIELD", because("linkUnreadable"));
  }
}

/**
 * Resolves a regular file below a watched folder, after following symbolic links. The path is checked as text first, so
 * that network paths are never accessed.
 *
 * @throws AppError NOT_PERMITTED
 */
async function allowedFile({ db }: DesktopContext, named: string): Promise<string> {
  const outside = (cause?: unknown) => new AppError("NOT_PERMITTED", because("linkOutside"), { cause });
  const whole = path.normalize(named);
  const { folders } = await getSetting(db, watchedFoldersSetting);
  for (const folder of folders) {
    if (!path.isAbsolute(whole) || !isWithin(whole, path.normalize(folder.path))) continue;
    try {
      const [root, file] = await Promise.all([realpath(folder.path), realpath(whole)]);
      if (isWithin(file, root) && (await stat(file)).isFile()) return file;
    } catch (cause) {
      throw outside(cause);
    }
  }
  throw outside();
}

function noFilm(): AppError {
  return new AppError("UNSUPPORTED_IMAGE", because("noFilmInside"));
}
