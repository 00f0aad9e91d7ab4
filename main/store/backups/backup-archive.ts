import { createWriteStream, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { ZipFile as NewZipFile } from "yazl";
import { AppError, because } from "../../../core/app-error.ts";
import { keyOfRecovery, recoveryKeyOf, type StoreKey } from "../encryption/store-key.ts";
import type { Machine } from "../machines/machine.ts";
import { fileStamp, storeFile } from "../files/store-files.ts";
import { encryption, isEncrypted, openEncryptedZip, type BackupKey } from "./backup-cipher.ts";
import { backupsIn, backupsKept, type BackupFile } from "./backups.ts";
import { fileExists } from "../files/private-file.ts";

const films = "films";
/** File names of films, derived from their content; other files in an archive's film folder are ignored. */
const filmName = /^[0-9a-f]{64}(\.frame-\d+)?(\.(thumbnail|rectified)\.jpg)?$/;
/** Timestamp, then name and start of the id of the owning workstation, since workstations may share a folder. */
const archiveName = /^corvet-(\d{8}T\d{9}Z)-([\w-]{1,40})-([0-9a-f]{8})\.(?:zip|corvet)$/;

/** Minimum age of an unfinished file to remove [ms]; a younger one may belong to a running program. */
const abandonedMs = 60 * 60_000;

/** Name of the store's key inside an archive that is encrypted itself. */
const keyEntry = "store.key";

export type Archive = BackupFile & {
  readonly machine: string;
  readonly isOwn: boolean;
};

export type ArchiveOrder = {
  readonly machine: Machine;
  readonly backup: BackupFile;
  /** Existing folder chosen by the user, for example on another disk or the network. */
  readonly folder: string;
  readonly filmsDir: string | null;
  readonly key: BackupKey | null;
  readonly storeKey: StoreKey | null;
  readonly signal?: AbortSignal | undefined;
};

/** Lists the archives in the user's folder, newest first, including those of other workstations; unchecked. */
export function listArchives(folder: string, { id }: Machine): readonly Archive[] {
  if (!existsSync(folder)) return [];
  return backupsIn(folder, archiveName).map((backup) => {
    const [, , machine = "", ownerId = ""] = archiveName.exec(backup.name) ?? [];
    return { ...backup, machine, isOwn: id.startsWith(ownerId) };
  });
}

/**
 * Writes a copy of the store, with films if requested, as one file that is renamed once complete. Keeps the newest
 * `backupsKept` archives of this workstation.
 *
 * @throws AppError BACKUP_FAILED if the folder is missing, ABORTED when stopped; SystemError when the file cannot be
 *   written
 */
export async function writeArchive(order: ArchiveOrder): Promise<BackupFile> {
  const { machine, backup, folder, filmsDir, key, signal } = order;
  if (!existsSync(folder)) throw new AppError("BACKUP_FAILED", because("backupFolderMissing"));
  clearAbandoned(folder, machine);
  const owner = `${machine.name.replaceAll(/[^\w-]/g, "_").slice(0, 40)}-${machine.id.slice(0, 8)}`;
  const name = `corvet-${fileStamp(new Date(backup.atMs))}-${owner}.${key === null ? "zip" : "corvet"}`;
  const unfinished = path.join(folder, `${name}.unfinished`);
  const taken =
    filmsDir !== null && fileExists(filmsDir) ? readdirSync(filmsDir).filter((film) => filmName.test(film)) : [];
  try {
    // Create the file before the content is ready: an immediate stop leaves no file either.
    const file = await open(unfinished, "w", 0o600);
    await pipeline(
      contentOf(order, taken),
      key === null ? new PassThrough() : encryption(key),
      file.createWriteStream({ flush: true }),
      { signal },
    );
    await rename(unfinished, path.join(folder, name));
  } catch (cause) {
    if (!signal?.aborted) throw cause;
    throw new AppError("ABORTED", `The backup was stopped and left no file in ${folder}`, { cause });
  } finally {
    await rm(unfinished, { force: true });
  }
  for (const old of listArchives(folder, machine)
    .filter(({ atMs, isOwn }) => isOwn && atMs <= backup.atMs)
    .slice(backupsKept))
    await rm(old.path, { force: true });
  return { name, path: path.join(folder, name), atMs: backup.atMs, sizeBytes: statSync(path.join(folder, name)).size };
}

function contentOf({ backup, filmsDir, key, storeKey }: ArchiveOrder, names: readonly string[]): Readable {
  const zip = new NewZipFile();
  const content = zip.outputStream as Readable;
  // A film may be deleted before its turn; without a listener, that error would end the program.
  zip.on("error", (error: Error) => content.destroy(error));
  zip.addFile(backup.path, path.basename(storeFile(".")));
  if (key !== null && storeKey !== null) zip.addBuffer(Buffer.from(recoveryKeyOf(storeKey)), keyEntry);
  for (const film of names) zip.addFile(path.join(filmsDir ?? "", film), `${films}/${film}`, { compress: false });
  zip.end();
  return content;
}

function clearAbandoned(folder: string, { id }: Machine): void {
  for (const name of readdirSync(folder)) {
    const [, , , ownerId] = archiveName.exec(name.replace(/\.unfinished$/, "")) ?? [];
    if (!name.endsWith(".unfinished") || ownerId === undefined || !id.startsWith(ownerId)) continue;
    const file = path.join(folder, name);
    try {
      if (Date.now() - statSync(file).mtimeMs > abandonedMs) rmSync(file);
    } catch {
      // Another program removed the file first, or it cannot be deleted; make the backup anyway.
    }
  }
}

/**
 * Unpacks an archive into an empty folder.
 *
 * @throws AppError BACKUP_LOCKED if the passphrase is missing or wrong, BACKUP_DAMAGED
 */
export async function unpackArchive(file: string, into: string, passphrase: string | null) {
  const names: string[] = [];
  let storeKey: StoreKey | null = null;
  try {
    await using handle = await open(file, "r");
    const archive = await openArchive(file, handle, passphrase);
    await mkdir(path.join(into, films), { recursive: true, mode: 0o700 });
    try {
      for await (const entry of archive.eachEntry()) {
        const content = withChecksum(await archive.openReadStreamPromise(entry), entry);
        if (entry.fileName === keyEntry) storeKey = keyOfRecovery(await text(content));
        else {
          const { room, name } = placeOf(entry.fileName);
          await pipeline(content, createWriteStream(path.join(into, room, name), { mode: 0o600 }));
          if (room === films) names.push(name);
        }
      }
    } finally {
      archive.close();
    }
  } catch (cause) {
    // Disk errors are not damage. Decompressor errors have a code as well, but no `syscall`.
    if (cause instanceof AppError || (cause instanceof Error && "syscall" in cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("BACKUP_DAMAGED", `The backup ${path.basename(file)} is damaged: ${why}.`, { cause });
  }
  return { films: names, storeKey };
}

/** @throws Error at the end of the content if the checksum differs, which the library does not verify */
async function* withChecksum(content: Readable, { fileName, crc32: stated }: Entry): AsyncGenerator<Buffer> {
  let found = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    found = crc32(chunk, found);
    yield chunk;
  }
  if (found !== stated) throw new Error(`the checksum of ${fileName} is wrong`);
}

/** @throws Error for a file that is neither the store nor a film */
function placeOf(fileName: string): { readonly room: string; readonly name: string } {
  const name = path.posix.basename(fileName);
  if (fileName === path.basename(storeFile("."))) return { room: "", name };
  if (path.posix.dirname(fileName) === films && filmName.test(name)) return { room: films, name };
  throw new Error(`unexpected file ${fileName}`);
}

async function openArchive(file: string, handle: FileHandle, passphrase: string | null): Promise<ZipFile> {
  if (!(await isEncrypted(handle))) return await openPromise(file, { autoClose: false });
  if (passphrase === null) throw new AppError("BACKUP_LOCKED", because("backupEncrypted"));
  return await openEncryptedZip(handle, passphrase);
}
