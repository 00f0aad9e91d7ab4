import { listBackups } from "../../store/backups/backups.ts";
import { countFilmsOfFile } from "../../store/films/films.ts";
import { statementKey } from "../../store/ledger/continue-record.ts";
import { erasePatient, type Erased } from "../../store/privacy/erase-patient.ts";
import { findIdentity, readPatientRecord } from "../../store/privacy/patient-record.ts";
import { listSetAside } from "../../store/store-files.ts";
import { defaultAccountName } from "../calls/keys.ts";
import { forgetOrders } from "../worklist/orders/taken-orders.ts";
import { forgetKeyFilms } from "../worklist/marks/key-films.ts";
import { forgetFilmNotes } from "../desktop/film-notes.ts";
import { deleteFilmImages } from "../desktop/film-files.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { listOutside } from "../program/backups/backup-plan.ts";

type Desk = Pick<ServiceContext, "db" | "dataDir" | "now">;

/** What the person is told who had a patient erased. */
export type ErasureReport = Pick<Erased, "pseudonym" | "rows"> & {
  readonly filmIds: readonly string[];
  /** Copies of the store from before, which hold the patient until they go. */
  readonly backups: readonly string[];
};

/** Copies of the store that hold whatever is in it now: backups here and in the user's folder, stores set aside. */
export function listCopies({ db, dataDir }: Pick<Desk, "db" | "dataDir">): readonly string[] {
  const backups = [...listBackups(dataDir), ...listOutside({ db, dataDir })].map(({ name }) => name);
  return [...new Set([...backups, ...listSetAside(dataDir)])];
}

/**
 * Erases a patient: from the store, and its pictures from the disk. The statement says who had it done, why, and which
 * copies of the store still hold it.
 *
 * @param idOrUuid  the program's id of the patient, or the practice's identifier
 * @throws AppError NOT_FOUND where nothing is kept
 */
export async function eraseForGood(
  desk: Desk,
  idOrUuid: string,
  { why, by }: { readonly why: string; readonly by: string },
): Promise<ErasureReport> {
  const { db, dataDir, now } = desk;
  const identity = findIdentity(db, idOrUuid);
  const backups = listCopies(desk);
  if (identity.patientId !== null) {
    // Before the rest, whose end leaves no byte in the store's files.
    const { films: rows, dicom_instances: objects } = readPatientRecord(db, identity);
    const filmIds = [
      ...rows.map(({ id }) => String(id)),
      ...objects.map((object) => String(object["sop_instance_uid"])),
    ];
    forgetOrders(db, identity.patientId);
    forgetFilmNotes(db, filmIds);
    forgetKeyFilms(db, filmIds);
  }
  const { pseudonym, rows, films } = erasePatient(db, {
    identity,
    by,
    why: backups.length === 0 ? why : `${why} (copies from before: ${backups.join(", ")})`,
    at: now(),
    privateKey: statementKey(dataDir),
    accountName: defaultAccountName,
  });
  for (const film of films)
    await deleteFilmImages(dataDir, film, { withOriginal: countFilmsOfFile(db, film.sha256) === 0 });
  return { pseudonym, rows, filmIds: films.map(({ id }) => id), backups };
}
