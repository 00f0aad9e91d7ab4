import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { listBackups } from "../../store/backups/backups.ts";
import { engineOf, transaction } from "../../store/engines/engine.ts";
import { statementKey } from "../../store/ledger/continue-record.ts";
import { erasePatient, type Erased } from "../../store/privacy/erase-patient.ts";
import { findIdentity, type PatientIdentity } from "../../store/privacy/patient-record.ts";
import { filmsDir, listSetAside, notOpenedDir, storeFile } from "../../store/files/store-files.ts";
import { deleteWaitingExports } from "../desktop/exports.ts";
import { deleteFilmImages } from "../desktop/film-images.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { listExternalBackups } from "../program/backups/backup-plan.ts";
import { forgetNotOpened, listNotOpenedElsewhere } from "./not-opened-objects.ts";
import { deletePatientNotes } from "./patient-notes.ts";

type ErasureContext = Pick<ServiceContext, "db" | "dataDir" | "now">;

export type ErasureReport = Pick<Erased, "pseudonym" | "rows"> & {
  readonly filmIds: readonly string[];
  /** Existing copies, which contain the patient until they are deleted. @see listCopies */
  readonly backups: readonly string[];
  /** Local store files that may contain the patient although the store is in a database. */
  readonly ownData: readonly string[];
};

/**
 * Lists copies that an erasure does not delete: local backups, all backups in the user's folder (a renamed or replaced
 * workstation has another id), stores that were set aside, and received objects that other workstations could not open.
 */
export async function listCopies(
  { db, dataDir }: Pick<ErasureContext, "db" | "dataDir">,
  identity: PatientIdentity,
): Promise<readonly string[]> {
  const backups = [...listBackups(dataDir), ...(await listExternalBackups({ db, dataDir }))].map(({ name }) => name);
  return [...new Set([...backups, ...listSetAside(dataDir)]), ...(await listNotOpenedElsewhere(db, identity))];
}

/**
 * Lists local store files of a workstation whose store is in a database. They are a former store, not a copy, and may
 * contain data found nowhere else.
 */
export function listOwnData({ db, dataDir }: Pick<ErasureContext, "db" | "dataDir">): readonly string[] {
  if (engineOf(db).file !== null) return [];
  const [store, films] = [storeFile(dataDir), filmsDir(dataDir)];
  return [
    ...(existsSync(store) ? [path.basename(store)] : []),
    ...(existsSync(films) ? [`${path.basename(films)}/`] : []),
  ];
}

/**
 * Erases a patient from the store, and its pictures, mail drafts and objects that could not be opened from the disk.
 * All pending exports are deleted, since they are not linked to patients. The statement records the user, the reason,
 * and copies and local files that may still contain the patient.
 *
 * @param idOrUuid  patient id, or the practice's identifier
 * @throws AppError NOT_FOUND without data; CLOCK_BEHIND, CLOCK_AHEAD while the clock contradicts the ledger
 */
export async function eraseEverywhere(
  context: ErasureContext,
  idOrUuid: string,
  { why, by }: { readonly why: string; readonly by: string },
): Promise<ErasureReport> {
  const { db, dataDir, now } = context;
  const [backups, ownData] = [await listCopies(context, await findIdentity(db, idOrUuid)), listOwnData(context)];
  const left = [
    ...(backups.length === 0 ? [] : [`copies from before: ${backups.join(", ")}`]),
    ...(ownData.length === 0 ? [] : [`may be in this computer's own data, too: ${ownData.join(", ")}`]),
  ];
  const erasure = {
    by,
    why: left.length === 0 ? why : `${why} (${left.join("; ")})`,
    privateKey: statementKey(dataDir),
  };
  const { pseudonym, rows, films, notOpened } = await transaction(db, async () => {
    const identity = await findIdentity(db, idOrUuid);
    // Delete notes first, since erasing the patient ends by overwriting deleted content in the store's files.
    await deletePatientNotes(db, identity);
    const notOpened = await forgetNotOpened(db, identity);
    return { ...(await erasePatient(db, { ...erasure, identity, at: now() })), notOpened };
  });
  for (const film of films) await deleteFilmImages(context, film);
  for (const fileName of notOpened) await rm(path.join(notOpenedDir(dataDir), fileName), { force: true });
  const filmIds = films.map(({ id }) => id);
  await deleteWaitingExports(dataDir, filmIds);
  return { pseudonym, rows, filmIds, backups, ownData };
}
