import { existsSync } from "node:fs";
import path from "node:path";
import { listBackups } from "../../store/backups/backups.ts";
import { engineOf, transaction } from "../../store/engines/engine.ts";
import { statementKey } from "../../store/ledger/continue-record.ts";
import { erasePatient, type Erased } from "../../store/privacy/erase-patient.ts";
import { findIdentity } from "../../store/privacy/patient-record.ts";
import { listSetAside, storeFile } from "../../store/store-files.ts";
import { defaultAccountName } from "../calls/keys.ts";
import { deleteWaitingExports } from "../desktop/exports.ts";
import { filmsDir } from "../desktop/film-files.ts";
import { deleteFilmImages } from "../desktop/film-images.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { listOutside } from "../program/backups/backup-plan.ts";
import { deleteDraftsOf } from "../results/mail-draft.ts";
import { forgetPatientNotes } from "./patient-notes.ts";

type Desk = Pick<ServiceContext, "db" | "dataDir" | "now">;

/** What the person is told who had a patient erased. */
export type ErasureReport = Pick<Erased, "pseudonym" | "rows"> & {
  readonly filmIds: readonly string[];
  /** Copies of the store from before, which hold the patient until they go. */
  readonly backups: readonly string[];
  /** Files of this machine's own store beside a database, which may hold it. */
  readonly ownData: readonly string[];
};

/**
 * Lists copies of the store that may contain its present rows: backups here and in the user's folder, and stores set
 * aside. Copies of other workstations are included: a renamed or replaced workstation has another id.
 */
export async function listCopies({ db, dataDir }: Pick<Desk, "db" | "dataDir">): Promise<readonly string[]> {
  const backups = [...listBackups(dataDir), ...(await listOutside({ db, dataDir }))].map(({ name }) => name);
  return [...new Set([...backups, ...listSetAside(dataDir)])];
}

/**
 * What lies here of a store in a file beside a database. It was copied there, or holds what is nowhere else: it is
 * never to be called a copy.
 */
export function listOwnData({ db, dataDir }: Pick<Desk, "db" | "dataDir">): readonly string[] {
  if (engineOf(db).file !== null) return [];
  const [store, films] = [storeFile(dataDir), filmsDir(dataDir)];
  return [
    ...(existsSync(store) ? [path.basename(store)] : []),
    ...(existsSync(films) ? [`${path.basename(films)}/`] : []),
  ];
}

/**
 * Erases a patient: from the store, and from the disk its pictures and what was made of them to be given out and is
 * still here. Nothing tells whose an export is that waits to be fetched, so all of them go. The statement says who had
 * it done, why, which copies of the store still hold it, and what else here may.
 *
 * @param idOrUuid  the program's id of the patient, or the practice's identifier
 * @throws AppError NOT_FOUND where nothing is kept; CLOCK_BEHIND, CLOCK_AHEAD while the ledger waits for the clock
 */
export async function eraseForGood(
  desk: Desk,
  idOrUuid: string,
  { why, by }: { readonly why: string; readonly by: string },
): Promise<ErasureReport> {
  const { db, dataDir, now } = desk;
  const [backups, ownData] = [await listCopies(desk), listOwnData(desk)];
  const left = [
    ...(backups.length === 0 ? [] : [`copies from before: ${backups.join(", ")}`]),
    ...(ownData.length === 0 ? [] : [`may be in this computer's own data, too: ${ownData.join(", ")}`]),
  ];
  const erasure = {
    by,
    why: left.length === 0 ? why : `${why} (${left.join("; ")})`,
    privateKey: statementKey(dataDir),
    accountName: defaultAccountName,
  };
  const { pseudonym, rows, films } = await transaction(db, async () => {
    const identity = await findIdentity(db, idOrUuid);
    // Before the rest, whose end leaves no byte in the store's files.
    await forgetPatientNotes(db, identity);
    return await erasePatient(db, { ...erasure, identity, at: now() });
  });
  for (const film of films) await deleteFilmImages(desk, film);
  const filmIds = films.map(({ id }) => id);
  await deleteWaitingExports(dataDir);
  await deleteDraftsOf(dataDir, filmIds);
  return { pseudonym, rows, filmIds, backups, ownData };
}
