import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { nothing, time } from "../shapes.ts";

/** Folder for copies outside the data directory: another disk, a network folder; null for none. */
export const backupPlan = z.object({
  folder: z.string().min(1).max(4096).nullable(),
  withFilms: z.boolean(),
  isEncrypted: z.boolean(),
});

/** A copy in the user's folder; "backups.check" checks it. `machine`: the workstation that made it; null if unknown. */
const archive = z.object({ name: z.string(), at: time, bytes: z.int(), machine: z.string().nullable() });

const backup = z.object({ name: z.string(), at: time, bytes: z.int() });

/**
 * How far the copy of the store is; the check that follows is not counted. `outside`: on its way to the user's folder,
 * where `totalBytes` is what goes in, of which a part is compressed.
 */
export const backupProgress = z.object({
  copiedBytes: z.int(),
  totalBytes: z.int(),
  place: z.enum(["here", "outside"]),
});

const encryption = z.object({
  isEncrypted: z.boolean(),
  isWanted: z.boolean(),
  isDone: z.boolean(),
  place: z.string(),
  /** Copies of the store that stay plain: damaged ones cannot be encrypted. */
  plainCopies: z.array(z.string()),
});

export const backupsContract = {
  "backups.list": {
    request: nothing,
    response: z.object({
      backups: z.array(backup),
      folder: z.string(),
      outside: z.array(archive),
      /** The copy that takes the store's place at the next start: when it was made. */
      planned: z.object({ at: time }).nullable(),
    }),
    permission: "administer",
  },
  /** Names of listed backups that are damaged. Reads all of them, which may take seconds. */
  "backups.listDamaged": {
    request: nothing,
    response: z.object({ names: z.array(z.string()) }),
    permission: "administer",
  },
  "backups.plan": { request: nothing, response: backupPlan, permission: "administer" },
  /**
   * `passphrase` null keeps the one before; it is kept nowhere, only the key made of it. CONFLICT where the store is in
   * a database, of which no copies are made here.
   */
  "backups.savePlan": {
    request: z.strictObject({ ...backupPlan.shape, passphrase: z.string().min(8).max(200).nullable().default(null) }),
    response: backupPlan,
    permission: "administer",
  },
  /** Checks a backup as a restore does: BACKUP_LOCKED with another passphrase, BACKUP_DAMAGED with the reason. */
  "backups.check": {
    request: z.strictObject({
      name: z.string().min(1).max(200),
      passphrase: z.string().min(1).max(200).nullable().default(null),
    }),
    response: z.object({ ledgerRows: z.int(), values: z.int(), films: z.int() }),
    permission: "administer",
    isLong: true,
  },
  /**
   * `backupId` is made by the page. Answers when it is made; ABORTED when it was stopped, CONFLICT while another one is
   * made.
   */
  "backups.make": {
    request: z.strictObject({ backupId: z.uuid() }),
    response: backup,
    permission: "administer",
    isLong: true,
    isCoalesced: true,
  },
  /** Leaves no file. Stopping one that has ended is not an error. */
  "backups.cancel": { request: z.strictObject({ backupId: z.uuid() }), response: nothing, permission: "administer" },
  /** Takes effect at the next start; the present store is kept. */
  "backups.restore": {
    request: z.strictObject({
      name: z.string().min(1).max(200),
      passphrase: z.string().min(1).max(200).nullable().default(null),
    }),
    response: z.object({ needsRestart: z.boolean() }),
    permission: "administer",
    isLong: true,
  },
  /** Cancels the planned restore; not an error without one. */
  "backups.cancelRestore": { request: nothing, response: nothing, permission: "administer" },
  "encryption.get": { request: nothing, response: encryption, permission: "administer" },
  /** A new recovery key to show; it counts once `encryption.plan` receives it. null where the data have a key. */
  "encryption.offer": {
    request: nothing,
    response: z.object({ offered: z.object({ recoveryKey: z.string() }).nullable() }),
    permission: "administer",
  },
  /** Takes effect at the next start. `recoveryKey` is the offered one, written down by the user. */
  "encryption.plan": {
    request: z.strictObject({ isWanted: z.boolean(), recoveryKey: z.string().max(200).nullable().default(null) }),
    response: encryption,
    permission: "administer",
  },
} as const satisfies Channels;

export type Backup = z.infer<typeof backup>;
export type BackupPlan = z.infer<typeof backupPlan>;
export type BackupProgress = z.infer<typeof backupProgress>;
