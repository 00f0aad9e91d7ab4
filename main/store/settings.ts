import { z } from "zod";
import { ownRange, type OwnRange } from "../../core/cardiac/reference/own-range.ts";
import { folderSettings, type FolderSettings } from "../../core/contract/desktop/practice/folders.ts";
import { backupPlan, type BackupPlan } from "../../core/contract/desktop/practice/backups.ts";
import type { AuditAction } from "../../core/people/audit-actions.ts";
import { recordAudit } from "./audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";
import { engineOf, transaction } from "./engines/engine.ts";

/**
 * Keys of settings stored per workstation, and whether the value is copied when a workstation joins a database: false
 * for values that refer to rows of its former store.
 */
const machineKeys = {
  desktop: true,
  hostNames: true,
  isPlainHttpAllowed: true,
  activePacks: true,
  backupPlan: true,
  dicomReceiver: true,
  dicomNodes: true,
  dicomCertificate: true,
  watchedFolders: true,
  updates: true,
  isRecordNoted: false,
  takenOrders: false,
  imagesLookedAt: false,
};

export type Setting<Value> = {
  /** In a shared store, the keys of `machineKeys` have a value per workstation. */
  readonly key: string;
  /** Key of the stored row; default: that of the practice or of this workstation. */
  readonly row?: string;
  readonly schema: z.ZodType<Value>;
  readonly fallback: Value;
  /** Audit action of a change; absent for values that the program sets. */
  readonly audit?: AuditAction;
  readonly unaudited?: readonly string[];
};

/** Names, in addition to the loopback ones, under which the service is reachable and its certificate valid. */
export const hostNamesSetting: Setting<readonly string[]> = {
  key: "hostNames",
  schema: z.array(z.string().min(1).max(253)).max(20),
  fallback: [],
  audit: "server.configured",
};

export const plainHttpSetting: Setting<boolean> = {
  key: "isPlainHttpAllowed",
  schema: z.boolean(),
  fallback: false,
  audit: "server.configured",
};

/** Active pack of each kind; the program chooses the pack of absent kinds. */
export const activePacksSetting: Setting<Readonly<Record<string, string>>> = {
  key: "activePacks",
  schema: z.record(z.string(), z.string()),
  fallback: {},
  audit: "pack.activated",
};

/** A publisher of model packs added by the clinic: name chosen by the clinic, and base64 of the raw Ed25519 key. */
const publisher = z.object({ name: z.string(), publicKey: z.string(), addedAt: z.string() });

export type Publishers = readonly z.infer<typeof publisher>[];

export const publishersSetting: Setting<Publishers> = {
  key: "packPublishers",
  schema: z.array(publisher).max(50),
  fallback: [],
};

/** Price of one USG call [cents]; null if not set. */
export const usgPriceSetting: Setting<number | null> = {
  key: "usgPriceCents",
  schema: z.int().min(0).nullable(),
  fallback: null,
  audit: "settings.changed",
};

/** Whether the head of the record was ever noted outside the store, so that a missing note has been removed. */
export const recordNotedSetting: Setting<boolean> = {
  key: "isRecordNoted",
  schema: z.boolean(),
  fallback: false,
};

/** Additional backup folder of the user, outside the data directory, with films and encryption if chosen. */
export const backupPlanSetting: Setting<BackupPlan> = {
  key: "backupPlan",
  schema: backupPlan,
  fallback: { folder: null, withFilms: false, isEncrypted: false },
  audit: "backup.planned",
};

export const watchedFoldersSetting: Setting<FolderSettings> = {
  key: "watchedFolders",
  schema: folderSettings,
  fallback: { folders: [], outbox: null, formats: ["json", "pdf"], allFilmsSince: null },
  audit: "settings.changed",
};

/** The clinic's own reference ranges; the service that changes them records the audit event. */
export const ownRangesSetting: Setting<readonly OwnRange[]> = {
  key: "referenceRanges",
  schema: z.array(ownRange),
  fallback: [],
};

/** An invalid stored value counts as not set, because the fallback is safe. */
export async function getSetting<Value>(db: ReadableDb, setting: Setting<Value>): Promise<Value> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", keyIn(db, setting)).executeTakeFirst();
  return row ? parseSetting(setting, row.value) : setting.fallback;
}

export function parseSetting<Value>(
  { schema, fallback }: Pick<Setting<Value>, "schema" | "fallback">,
  stored: string,
): Value {
  const value = schema.safeParse(JSON.parse(stored));
  return value.success ? value.data : fallback;
}

function keyIn(db: ReadableDb, { key, row }: Pick<Setting<unknown>, "key" | "row">): string {
  const { machineId } = engineOf(db);
  return row ?? (key in machineKeys && machineId !== null ? machineKey(key, machineId) : key);
}

/** Values of a setting on all workstations that share the store. */
export async function listMachineVariants<Value>(
  db: ReadableDb,
  setting: Setting<Value>,
): Promise<readonly Setting<Value>[]> {
  const rows = db.selectFrom("settings").select("key").orderBy("key");
  const kept = await rows
    .where(({ eb, or }) => or([eb("key", "=", setting.key), eb("key", "like", machineKey(setting.key, "%"))]))
    .execute();
  return kept.map(({ key }) => ({ ...setting, row: key }));
}

export function settingOf<Value>(machineId: string, setting: Setting<Value>): Setting<Value> {
  return { ...setting, row: machineKey(setting.key, machineId) };
}

export function machineKey(key: string, machineId: string): string {
  return `${key}@${machineId}`;
}

/** @returns the value as stored @throws ZodError if the value does not match the setting's schema */
export async function saveSetting<Value>(db: WritableDb, setting: Setting<Value>, value: Value): Promise<Value> {
  const checked = setting.schema.parse(value);
  await transaction(db, async () => {
    const changed = changedNames(await getSetting(db, setting), checked, setting);
    await db
      .insertInto("settings")
      .values({ key: keyIn(db, setting), value: JSON.stringify(checked) })
      .onConflict((known) => known.column("key").doUpdateSet((row) => ({ value: row.ref("excluded.value") })))
      .execute();
    if (setting.audit && changed.length > 0)
      await recordAudit(db, { action: setting.audit, subject: setting.key, detail: { changed: changed.join(", ") } });
  });
  return checked;
}

/** Atomic. @returns the value as stored */
export function changeSetting<Value>(
  db: WritableDb,
  setting: Setting<Value>,
  change: (value: Value) => Value,
): Promise<Value> {
  return transaction(db, async () => saveSetting(db, setting, change(await getSetting(db, setting))));
}

export type Changes<Value> = { readonly [Field in keyof Value]?: Value[Field] | undefined };

/** Atomic; absent or undefined fields keep their value. @returns the value as stored */
export function changeFields<Value extends object>(
  db: WritableDb,
  setting: Setting<Value>,
  changes: Changes<Value>,
): Promise<Value> {
  const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return changeSetting(db, setting, (before) => ({ ...before, ...said }));
}

/** The shared store has none of this workstation's settings. */
export async function copyMachineSettings(from: ReadableDb, to: WritableDb): Promise<void> {
  const copied = Object.entries(machineKeys).flatMap(([key, isCopied]) => (isCopied ? key : []));
  const rows = await from.selectFrom("settings").selectAll().where("key", "in", copied).execute();
  const own = rows.map(({ key, value }) => ({ key: keyIn(to, { key }), value }));
  if (own.length > 0) await to.insertInto("settings").values(own).execute();
}

/** Name of the whole setting if it has no fields. */
function changedNames<Value>(before: Value, after: Value, { key, unaudited = [] }: Setting<Value>): readonly string[] {
  const [old, now] = [fieldsOf(before, key), fieldsOf(after, key)];
  const isOther = (name: string) => JSON.stringify(old[name]) !== JSON.stringify(now[name]);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => !unaudited.includes(name) && isOther(name),
  );
}

function fieldsOf(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const hasFields = typeof value === "object" && value !== null && !Array.isArray(value);
  return hasFields ? (value as Readonly<Record<string, unknown>>) : { [key]: value };
}
