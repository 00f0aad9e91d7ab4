import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFaultOf, isTemporary } from "../../../core/system-fault.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { FolderSettings } from "../../../core/contract/desktop/practice/folders.ts";
import {
  saveWatchedOutcome,
  watchedOutcome,
  type ListedFile,
  type WatchedOutcome,
} from "../../store/films/watched-files.ts";
import { getSetting, saveSetting, watchedFoldersSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { importFoundFile } from "../import/import-files.ts";
import { findFiles } from "../import/import-folder.ts";
import { isWithin } from "../import/is-within.ts";
import { isFree, listFolder, ownFolders } from "./folder-scan.ts";
import { assertFolders, isWritable } from "./folder-settings.ts";
import { createOutbox } from "./outbox.ts";
import { importPatientFile } from "./patient-files.ts";
import { createPoller } from "../desktop/poller.ts";

type State = DesktopResponse<"folders.get">;
type Folder = FolderSettings["folders"][number];
type Tally = Omit<State["folders"][number], "path">;
type Counted = Pick<State["folders"][number], "waiting" | "opened" | "failed">;
type Seen = { readonly listed: ListedFile; readonly sinceMs: number; outcome: WatchedOutcome | null };

const notReached: Tally = { isReachable: false, waiting: 0, opened: 0, failed: 0, leftOut: 0 };

/** Settings are read on every scan. */
export type WatchedFolders = ReturnType<typeof createWatchedFolders>;

type WatchOptions = {
  /** Interval of scans; a file must be unchanged between two of them [ms]. */
  readonly everyMs?: number | undefined;
  /** Time after which an unchanged, unreadable file is no longer regarded as being copied [ms]. */
  readonly patienceMs?: number;
  /** The newest files of a folder; a larger folder is an archive, not an inbox. */
  readonly mostFiles?: number;
  /** Pause after a film's results could not be written, doubled by each further failure [ms]. */
  readonly firstPauseMs?: number;
};

/** Polls the folders, since network drives send no notifications; a scan also finds files from before the start. */
export function createWatchedFolders(
  context: DesktopContext,
  { everyMs = 3000, patienceMs = 60_000, mostFiles = 20_000, firstPauseMs = 3000 }: WatchOptions = {},
) {
  const outbox = createOutbox(context, () => settings(), firstPauseMs);
  const tallies = new Map<string, Tally>();
  const seen = new Map<string, Seen>();
  /** Files not imported because of a program fault, logged once. */
  const troubled = new Set<string>();
  let isClosed = false;
  const settings = () => getSetting(context.db, watchedFoldersSetting);
  const nowMs = () => performance.now();

  const take = async (file: ListedFile, folder: Folder, sinceMs: number): Promise<WatchedOutcome | null> => {
    const isMoved = folder.afterwards === "move";
    if (!(await isFree(file, isMoved))) return null;
    const opened = await openFile(context, file.path);
    if (opened === null) return null;
    const { outcome, filmIds, faults, isFinal } = opened;
    // An unreadable file may be incomplete while its writer pauses.
    if (outcome === "failed" && !isFinal && nowMs() - sinceMs < patienceMs) return null;
    await saveWatchedOutcome(context.db, file, { outcome, filmIds, atMs: context.now().getTime() });
    if (outcome === "failed") context.log.warn({ folder: "watched" }, "a file of a watched folder could not be opened");
    if (isMoved) await move(file.path, folder.path, outcome, faults);
    return outcome;
  };
  /** A fault of one file must not block the others. */
  const attempt = async (file: ListedFile, folder: Folder, sinceMs: number): Promise<WatchedOutcome | null> => {
    try {
      const outcome = await take(file, folder, sinceMs);
      troubled.delete(file.path);
      return outcome;
    } catch (error) {
      if (temporaryFaultOf(error) !== null) throw error;
      if (!troubled.has(file.path)) context.log.error({ error }, "a file of a watched folder could not be imported");
      troubled.add(file.path);
      return null;
    }
  };
  const scanFile = async (file: ListedFile, folder: Folder, tally: Counted): Promise<void> => {
    const last = seen.get(file.path);
    const isSame = last?.listed.sizeBytes === file.sizeBytes && last.listed.changedAtMs === file.changedAtMs;
    const now = isSame ? last : { listed: file, sinceMs: nowMs(), outcome: await watchedOutcome(context.db, file) };
    seen.set(file.path, now);
    if (now.outcome !== null) {
      // The file was recorded, but not moved because of the program's end or a fault.
      if (folder.afterwards === "move") await move(file.path, folder.path, now.outcome);
      return;
    }
    if (isSame && file.sizeBytes > 0) now.outcome = await attempt(file, folder, now.sinceMs);
    if (now.outcome === "opened") tally.opened += 1;
    if (now.outcome === "failed") tally.failed += 1;
    if (now.outcome === null) tally.waiting += 1;
  };
  const scanFolder = async (folder: Folder): Promise<void> => {
    const before = tallies.get(folder.path) ?? notReached;
    const listed = await listFolder(folder.path);
    if (listed === null) return void tallies.set(folder.path, { ...before, isReachable: false, waiting: 0 });
    const files = listed.slice(-mostFiles);
    const tally = { ...before, isReachable: true, waiting: 0, leftOut: listed.length - files.length };
    for (const file of files) {
      if (isClosed) return;
      await scanFile(file, folder, tally);
    }
    const here = new Set(files.map((file) => file.path));
    for (const known of [...seen.keys()]) {
      if (!isWithin(known, folder.path) || here.has(known)) continue;
      seen.delete(known);
      troubled.delete(known);
    }
    tallies.set(folder.path, tally);
  };
  const scanOnce = async (): Promise<void> => {
    const before = JSON.stringify([...tallies]);
    let hasWritten = false;
    try {
      for (const folder of (await settings()).folders) await scanFolder(folder);
    } finally {
      hasWritten = await outbox.write(() => isClosed);
    }
    if (hasWritten || JSON.stringify([...tallies]) !== before) context.raise({ name: "folders.changed", payload: {} });
  };
  const poller = createPoller(scanOnce, everyMs, (error) =>
    context.log.error({ error }, "watched folders could not be scanned"),
  );
  const get = async (): Promise<State> => {
    const current = await settings();
    return {
      settings: current,
      folders: current.folders.map(({ path: at }) => ({
        path: at,
        ...(tallies.get(at) ?? notReached),
      })),
      outbox:
        current.outbox === null ? null : { isWritable: await isWritable(current.outbox), ...(await outbox.state()) },
    };
  };
  return {
    start: poller.start,
    get,
    /** Resolves when all complete files have been opened. */
    look: poller.poll,
    /** Lists films that need their images for results. */
    listUnwritten: outbox.listUnwritten,
    /** @throws AppError INVALID_FIELD */
    async save(wanted: FolderSettings) {
      assertFolders(wanted, context.dataDir);
      await saveSetting(context.db, watchedFoldersSetting, wanted);
      context.raise({ name: "folders.changed", payload: {} });
      await poller.poll();
      return get();
    },
    async close() {
      isClosed = true;
      await poller.close();
    },
  };
}

type Opened = {
  readonly outcome: WatchedOutcome;
  readonly filmIds: readonly string[];
  /** English reasons by name of each file inside, or by number of each HL7 message. */
  readonly faults: readonly string[];
  /** Opening it again would overwrite newer messages. */
  readonly isFinal: boolean;
};

/** Returns null after a temporary fault (full disk, store unavailable). */
async function openFile(context: DesktopContext, file: string): Promise<Opened | null> {
  try {
    return await openWhole(context, file);
  } catch (error) {
    if (temporaryFaultOf(error) === null) throw error;
    return null;
  }
}

async function openWhole(context: DesktopContext, file: string): Promise<Opened | null> {
  const patients = await importPatientFile(context, file);
  if (patients !== null) return { ...patients, filmIds: [], isFinal: true };
  const [filmIds, faults]: [string[], string[]] = [[], []];
  for await (const found of findFiles(context.dicom, file, { followsDirectory: false })) {
    const outcome = await importFoundFile(context, { ...found, isAmongOthers: true });
    if ("film" in outcome) filmIds.push(outcome.film.id);
    if ("code" in outcome && isTemporary(outcome.code)) return null;
    if ("code" in outcome) faults.push(`${outcome.name}: ${outcome.message}`);
  }
  if (faults.length > 0) return { outcome: "failed", filmIds, faults, isFinal: false };
  return { outcome: filmIds.length > 0 ? "opened" : "passed-over", filmIds, faults, isFinal: true };
}

/**
 * Moves a file under an unused name, to `failed` with the reasons. A file that cannot be moved stays and is not opened
 * again.
 */
async function move(
  file: string,
  folder: string,
  outcome: WatchedOutcome,
  faults: readonly string[] = [],
): Promise<void> {
  const target = path.join(folder, outcome === "failed" ? ownFolders.failed : ownFolders.opened);
  const { name, ext } = path.parse(file);
  try {
    await mkdir(target, { recursive: true });
    for (let number = 1; number < 1000; number += 1) {
      const free = path.join(target, number === 1 ? `${name}${ext}` : `${name}-${number}${ext}`);
      if (await isTaken(free)) continue;
      await rename(file, free);
      if (outcome === "failed" && faults.length > 0) await writeFile(`${free}.reason.txt`, `${faults.join("\n")}\n`);
      return;
    }
  } catch {}
}

async function isTaken(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
