import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import type { Health, PackSummary } from "../../../core/contract/desktop/program.ts";
import {
  discoverPacks,
  parseManifest,
  statusOf,
  type FoundPack,
  type PackDiscovery,
  type PackStatus,
} from "../../inference/packs/discover-packs.ts";
import type { Engine } from "../../inference/engine.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { transaction } from "../../store/engines/engine.ts";
import {
  activePacksSetting,
  changeSetting,
  getSetting,
  publishersSetting,
  type Publishers,
} from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { UsgScreening } from "../calls/screen-usg.ts";
import { readZip } from "../import/zip-files.ts";
import { runInSequence } from "../measuring/run-in-sequence.ts";

export const packSizeLimits = { files: 40, fileBytes: 512 * 1024 * 1024, totalBytes: 1024 * 1024 * 1024 } as const;

function userPacksDir(dataDir: string): string {
  return path.join(dataDir, "packs");
}

/** `packFolders`: the bundled one first; `usg`: loads packs of kind `usg`. */
export type PackHome = { readonly packFolders: readonly string[]; readonly usg: UsgScreening };

export async function listPacks(context: DesktopContext, home: PackHome): Promise<PackSummary[]> {
  const known = statuses(context, home);
  const names = new Set(known.map((pack) => pack.name));
  const { packs: found } = await findPacks(context, home);
  const others = found.filter((pack) => !names.has(pack.manifest.name));
  return [...known, ...others.map((pack) => statusOf(pack, "available"))].map((status) =>
    toSummary(
      status,
      found.find(({ folder }) => folder === status.folder),
    ),
  );
}

async function findPacks(
  { db }: Pick<DesktopContext, "db">,
  { packFolders }: Pick<PackHome, "packFolders">,
): Promise<PackDiscovery> {
  return discoverPacks(packFolders, await getSetting(db, publishersSetting));
}

export function getHealth(context: DesktopContext): Health {
  const health = context.engine.health();
  const { isPopEnabled, modelVersion, release } = health;
  return {
    isPopEnabled,
    modelVersion,
    hasNoPack: !health.canMeasure,
    release,
    troubles: [...(context.troubles?.() ?? [])],
    isQueueFull: context.queue.isFull,
  };
}

/** If loading fails, the previous pack stays in use. @throws AppError NOT_FOUND, PACK_REFUSED with the reason */
export function activatePack(context: DesktopContext, home: PackHome, name: string): Promise<void> {
  // Serialized, since a concurrent reload would read the previous selection.
  return inPackTurn(context, () => activateInTurn(context, home, name));
}

async function activateInTurn(context: DesktopContext, home: PackHome, name: string): Promise<void> {
  const found = await findPacks(context, home);
  const pack = found.packs.find((candidate) => candidate.manifest.name === name);
  if (!pack) {
    const unreadable = found.refused.find((candidate) => candidate.name === name);
    if (!unreadable) throw new AppError("NOT_FOUND", because("packNotFound", { name }));
    throw await refusalOf(context, name, unreadable);
  }
  const before = await getSetting(context.db, activePacksSetting);
  const { kind } = pack.manifest;
  await load(context, home, { ...before, [kind]: name });
  // Compare folders, since an invalid pack elsewhere may have the same name.
  const refused = statuses(context, home).find(({ folder, state }) => folder === pack.folder && state === "refused");
  if (refused) {
    await load(context, home, before);
    throw await refusalOf(context, name, refused);
  }
  // The selection of other kinds may have changed during loading.
  await changeSetting(context.db, activePacksSetting, (active) => ({ ...active, [kind]: name }));
  context.publish({ name: "packs.changed", payload: { health: getHealth(context) } });
}

/**
 * Unpacks a ZIP with one pack into the data directory, where it stays inactive until selected.
 *
 * @throws AppError PACK_REFUSED, CONFLICT if a pack of this name exists
 */
export async function importPack(
  context: DesktopContext,
  { packFolders, usg }: PackHome,
  zip: Uint8Array,
): Promise<void> {
  const files = await readPackZip(zip);
  const manifest = parseManifest(files.get("manifest.json") ?? "");
  const home = userPacksDir(context.dataDir);
  const place = path.join(home, manifest.name);
  const isThere = ({ folder, manifest: { name } }: FoundPack) => name === manifest.name || folder === place;
  if (discoverPacks(packFolders).packs.some(isThere))
    throw new AppError("CONFLICT", because("packExists", { name: manifest.name }));
  await mkdir(home, { recursive: true, mode: 0o700 });
  const unfinished = await mkdtemp(path.join(home, ".import-"));
  try {
    for (const [name, bytes] of files) await writeFile(path.join(unfinished, name), bytes, { mode: 0o600 });
    await transaction(context.db, async () => {
      await recordAudit(context.db, { action: "pack.imported", at: context.now(), subject: manifest.name });
      rmSync(place, { recursive: true, force: true });
      renameSync(unfinished, place);
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await inPackTurn(context, () => reload(context, { packFolders, usg }));
}

async function refusalOf(
  { db, now, log }: DesktopContext,
  name: string,
  { reason, why }: Pick<PackStatus, "reason" | "why">,
): Promise<AppError> {
  log.warn({ security: "pack.refused", pack: name, reason }, "model pack refused");
  await recordAudit(db, { action: "pack.refused", at: now(), subject: name, detail: { reason: reason ?? "" } });
  return new AppError("PACK_REFUSED", why ?? reason);
}

/** By engine, because it starts before its context exists. */
const readWith = new WeakMap<Engine, string>();

export function recordPackReaders(engine: Engine, publishers: Publishers): void {
  readWith.set(engine, JSON.stringify(publishers));
}

/** Does nothing unless the publishers have changed. */
export function reloadPublishers(context: DesktopContext, home: PackHome): Promise<void> {
  return inPackTurn(context, async () => {
    const publishers = await getSetting(context.db, publishersSetting);
    if (readWith.get(context.engine) !== JSON.stringify(publishers)) await reload(context, home);
  });
}

function inPackTurn(context: DesktopContext, work: () => Promise<void>): Promise<void> {
  return runInSequence(`packs of ${context.dataDir}`, work);
}

async function reload(context: DesktopContext, home: PackHome): Promise<void> {
  await load(context, home, await getSetting(context.db, activePacksSetting));
  context.publish({ name: "packs.changed", payload: { health: getHealth(context) } });
}

async function load(
  context: DesktopContext,
  { usg }: PackHome,
  active: Readonly<Record<string, string>>,
): Promise<void> {
  const publishers = await getSetting(context.db, publishersSetting);
  await context.engine.reload(active);
  await usg.reload(active["usg"] ?? null);
  recordPackReaders(context.engine, publishers);
}

/** The engine's packs except `usg`, followed by those of the screening. */
function statuses(context: DesktopContext, { usg }: PackHome): readonly PackStatus[] {
  return [...context.engine.health().packs.filter(({ kind }) => kind !== "usg"), ...usg.packs()];
}

/** Returns the files beside the ZIP's manifest, by name. */
async function readPackZip(zip: Uint8Array): Promise<Map<string, Buffer>> {
  const entries = await readZip(zip, packSizeLimits).catch((cause: unknown) => {
    const why = cause instanceof AppError ? cause.reason : null;
    throw new AppError("PACK_REFUSED", why ?? because("packNoZip"), { cause });
  });
  const manifest = entries.find(({ name }) => path.posix.basename(name) === "manifest.json");
  if (!manifest) throw new AppError("PACK_REFUSED", because("packFileMissing", { name: "manifest.json" }));
  const folder = path.posix.dirname(manifest.name);
  const inside = entries.filter(({ name }) => path.posix.dirname(name) === folder);
  return new Map(inside.map(({ name, bytes }) => [path.posix.basename(name), bytes]));
}

/** The fields of an unreadable manifest are empty; the status states the fault. */
function toSummary(status: PackStatus, found: FoundPack | undefined): PackSummary {
  const manifest = found?.manifest;
  const card = path.join(status.folder, "CARD.md");
  return {
    ...status,
    modelVersion: manifest?.modelVersion ?? null,
    licence: manifest?.licence ?? "",
    trainingData: manifest?.training.statement ?? "",
    card: existsSync(card) ? readFileSync(card, "utf8") : "",
    evaluation: figuresOf(manifest?.evaluation ?? {}),
    isClinicallyValidated: manifest?.clinicallyValidated ?? false,
    origin: found?.origin ?? null,
  };
}

/** Flattens nested figures with their path as name: `vhs.mae`. Omits tables. */
function figuresOf(figures: Readonly<Record<string, unknown>>, prefix = ""): PackSummary["evaluation"] {
  return Object.entries(figures).flatMap(([name, value]) => {
    if (!isObject(value)) return [{ figure: `${prefix}${name}`, value: String(value) }];
    if (!Array.isArray(value)) return figuresOf(value, `${prefix}${name}.`);
    return value.some(isObject) ? [] : [{ figure: `${prefix}${name}`, value: value.join(", ") }];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
