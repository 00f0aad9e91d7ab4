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
  /** @see listCopies */
  readonly backups: readonly string[];
  /** @see listOwnData */
  readonly ownData: readonly string[];
};

/**
 * Lists copies that an erasure does not delete. The user's folder counts with all backups, since a renamed or replaced
 * workstation has another id.
 */
export async function listCopies(
  { db, dataDir }: Pick<ErasureContext, "db" | "dataDir">,
  identity: PatientIdentity,
): Promise<readonly string[]> {
  const backups = [...listBackups(dataDir), ...(await listExternalBackups({ db, dataDir }))].map(({ name }) => name);
  return [...new Set([...backups, ...listSetAside(dataDir)]), ...(await listNotOpenedElsewhere(db, identity))];
}

/**
 * Lists local store files beside a database. They are a former store, not a copy, and may contain data found nowhere
 * else.
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
 * Erases a patient from the store and the disk. All pending exports are deleted, since they are not linked to patients.
 * The statement names copies and local files that may still contain the patient.
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
