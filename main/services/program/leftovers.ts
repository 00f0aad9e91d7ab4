import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { checkPrefix } from "../../store/backups/check-backup.ts";
import { listKeptHashes } from "../../store/films/films.ts";
import { isNotedHeadLost } from "../../store/ledger/record-anchor.ts";
import {
  backupsDir,
  filmsDir,
  setAsideFilmsUntilMs,
  notOpenedDir,
  scheduledRestoreFile,
} from "../../store/files/store-files.ts";
import { storeCreatedMs } from "../../store/opening/migrations.ts";
import { clearUnkeptImages } from "../../store/film-images/film-images.ts";
import { isInDatabase } from "../desktop/film-images.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** Younger files may belong to a running backup or check command. */
const abandonedMs = 10 * 60_000;

/** Maximum time between saving a film's images and adding the film [ms]. */
const filmOnItsWayMs = 60 * 60_000;

/** Deletes leftovers of a crash, and films without a row. Never throws; failures are logged. */
export async function clearLeftovers(context: Pick<ServiceContext, "db" | "dataDir" | "log">): Promise<void> {
  try {
    await clear(context);
  } catch (error) {
    context.log.warn({ error }, "leftovers of an earlier run could not be cleared");
  }
}

async function clear({ db, dataDir, log }: Pick<ServiceContext, "db" | "dataDir" | "log">): Promise<void> {
  const scheduledInMaking = `${path.basename(scheduledRestoreFile(dataDir))}.unfinished`;
  const isOrphan = await orphansAmongFiles({ db, dataDir });
  const left = [
    ...find(filmsDir(dataDir), (name) => name.startsWith("unfinished-") || isOrphan(name)),
    ...find(notOpenedDir(dataDir), (name) => name.includes("unfinished")),
    ...find(dataDir, (name) => name.startsWith("unfinished-")),
    ...find(path.join(dataDir, "packs"), (name) => name.startsWith(".import-")),
    ...find(dataDir, (name) => name.startsWith(checkPrefix)).filter(isAbandoned),
    ...find(dataDir, (name) => name.startsWith(scheduledInMaking)).filter(isAbandoned),
    ...find(backupsDir(dataDir), (name) => name.endsWith(".unfinished")).filter(isAbandoned),
  ];
  for (const file of left) rmSync(file, { recursive: true, force: true });
  const images = isInDatabase(db) ? await clearUnkeptImages(db, filmOnItsWayMs) : 0;
  if (left.length + images > 0) log.info({ files: left.length, images }, "leftovers of an earlier run cleared");
}

/** With a store in a database, files belong to a former SQLite store and are kept. */
async function orphansAmongFiles({
  db,
  dataDir,
}: Pick<ServiceContext, "db" | "dataDir">): Promise<(name: string) => boolean> {
  // The films may belong to another store, since rows that are recorded outside this store are missing from it.
  if (isInDatabase(db) || isNotedHeadLost(db)) return () => false;
  const kept = await listKeptHashes(db);
  // Films from before this store was created, or another one was set aside, may belong to a former store.
  const sinceMs = Math.max(await storeCreatedMs(db), setAsideFilmsUntilMs(dataDir));
  return (name) =>
    /^[0-9a-f]{64}/.test(name) &&
    !kept.has(name.slice(0, 64)) &&
    statSync(path.join(filmsDir(dataDir), name)).mtimeMs > sinceMs;
}

function find(folder: string, isLeft: (name: string) => boolean): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(isLeft)
    .map((name) => path.join(folder, name));
}

function isAbandoned(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > abandonedMs;
}
