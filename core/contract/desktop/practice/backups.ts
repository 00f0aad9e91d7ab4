import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { nothing, time } from "../shapes.ts";

/** Settings of backups outside the data directory, on another disk or in a network folder; `folder` null for none. */
export const backupPlan = z.object({
  folder: z.string().min(1).max(4096).nullable(),
  withFilms: z.boolean(),
  isEncrypted: z.boolean(),
});

/** A backup in the user's folder, unverified until `backups.check`. */
const archive = z.object({ name: z.string(), at: time, bytes: z.int(), machine: z.string() });

const backup = z.object({ name: z.string(), at: time, bytes: z.int() });

/** `outside`: being written to the user's folder; `totalBytes` is then the size before compression. */
export type BackupProgress = {
  readonly copiedBytes: number;
  readonly totalBytes: number;
  readonly place: "here" | "outside";
};

const encryption = z.object({
  isEncrypted: z.boolean(),
  isWanted: z.boolean(),
  isDone: z.boolean(),
  place: z.string(),
  /** Unencrypted copies of the store, which are damaged and therefore cannot be encrypted. */
  plainCopies: z.array(z.string()),
});

const chosen = z.strictObject({
  name: z.string().min(1).max(200),
  passphrase: z.string().min(1).max(200).nullable().default(null),
});

export const backupsContract = {
  "backups.list": {
    request: nothing,
    response: z.object({
      backups: z.array(backup),
      folder: z.string(),
      outside: z.array(archive),
      /** Backup to be restored at the next start; `at` is its date. */
      planned: z.object({ at: time }).nullable(),
    }),
    permission: "administer",
  },
  /** Reads all backups, which may take seconds. */
  "backups.listDamaged": {
    request: nothing,
    response: z.object({ names: z.array(z.string()) }),
    permission: "administer",
  },
  "backups.plan": { request: nothing, response: backupPlan, permission: "administer" },
  /** `passphrase` null keeps the current one; only a key derived from it is stored. CONFLICT with a database. */
  "backups.savePlan": {
    request: z.strictObject({ ...backupPlan.shape, passphrase: z.string().min(8).max(200).nullable().default(null) }),
    response: nothing,
    permission: "administer",
  },
  /** Checks a backup as before a restore: BACKUP_LOCKED for a wrong passphrase, BACKUP_DAMAGED with the reason. */
  "backups.check": {
    request: chosen,
    response: z.object({ ledgerRows: z.int(), values: z.int(), films: z.int() }),
    permission: "administer",
    isLong: true,
  },
  /** Responds when the backup is complete. ABORTED if it was cancelled, CONFLICT while another one is being made. */
  "backups.make": {
    request: z.strictObject({ backupId: z.uuid() }),
    response: backup,
    permission: "administer",
    isLong: true,
  },
  "backups.cancel": { request: z.strictObject({ backupId: z.uuid() }), response: nothing, permission: "administer" },
  /** Takes effect at the next start; the current store is kept. */
  "backups.restore": {
    request: chosen,
    response: nothing,
    permission: "administer",
    isLong: true,
  },
  "backups.cancelRestore": { request: nothing, response: nothing, permission: "administer" },
  "encryption.get": { request: nothing, response: encryption, permission: "administer" },
  /** A new recovery key, valid once `encryption.plan` receives it; null if the data have a key. */
  "encryption.offer": {
    request: nothing,
    response: z.object({ offered: z.object({ recoveryKey: z.string() }).nullable() }),
    permission: "administer",
  },
  /** Takes effect at the next start. `recoveryKey` is the offered key, which the user has written down. */
  "encryption.plan": {
    request: z.strictObject({ isWanted: z.boolean(), recoveryKey: z.string().max(200).nullable().default(null) }),
    response: encryption,
    permission: "administer",
  },
} as const satisfies Channels;

export type Backup = z.infer<typeof backup>;
export type BackupPlan = z.infer<typeof backupPlan>;
