import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { checkPrefix } from "../../store/backups/check-backup.ts";
import { listKeptHashes } from "../../store/films/films.ts";
import { backupsDir, filmsOfAsideUntilMs, notOpenedDir, scheduledRestoreFile } from "../../store/store-files.ts";
import { clearUnkeptImages } from "../../store/film-images/film-images.ts";
import { filmsDir } from "../desktop/film-files.ts";
import { isInDatabase } from "../desktop/film-images.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** A command beside the program may be at work on a backup or a check; what is older is nobody's [ms]. */
const abandonedMs = 10 * 60_000;

/** Between saving a film's images in a database and adding the film nobody takes longer [ms]. */
const filmOnItsWayMs = 60 * 60_000;

/**
 * Clears what a kill left behind: half-written films, imports, backups and restores, and films that no entry names. What cannot be
 * cleared hinders no start.
 */
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

/** Which files are images that no film keeps. Beside a store in a database they are those of a store that was a file. */
async function orphansAmongFiles({
  db,
  dataDir,
}: Pick<ServiceContext, "db" | "dataDir">): Promise<(name: string) => boolean> {
  if (isInDatabase(db)) return () => false;
  const kept = await listKeptHashes(db);
  // A film from before a store was set aside may belong to that one.
  const sinceMs = filmsOfAsideUntilMs(dataDir);
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
