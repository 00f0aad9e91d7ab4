import { open, readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { filmSizeLimitBytes } from "../../../core/contract/desktop/routes.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { assertInside } from "../../dicom/dicomdir.ts";
import { kindOfFile, signatureBytes } from "./import-kinds.ts";
import { isWithin } from "./is-within.ts";
import { zipEntries } from "./zip-files.ts";

/** System and trash folders on drives, sticks and network storage. */
const systemFolders = [
  "lost+found",
  "system volume information",
  "$recycle.bin",
  "recycler",
  "recycled",
  "#recycle",
  "@recycle",
  "__macosx",
];
const beginningOfBins = ".trash";

/** Files of a store, which only SQLite may open. @see fileHeader */
const filesOfStore = /^corvet\.(?:lock|db(?:-wal|-shm)?)$/i;

/** `isSearched`: not named by the user. `read` fails with an AppError. */
export type FoundFile = {
  readonly name: string;
  readonly isSearched: boolean;
  /** Found in a folder, archive or DICOMDIR, where directories, reports and other companions are no fault. */
  readonly isAmongOthers: boolean;
  readonly read: () => Promise<Uint8Array>;
};

/**
 * Finds the file of a path, the contents of a folder or archive, or the entries of a DICOMDIR. Unreadable files fail
 * when read. Files of a store fail if named, and are skipped in folders.
 *
 * @param followsDirectory  false treats a DICOMDIR as a file; used when its entries are found separately
 */
export async function* findFiles(
  dicom: DicomReader,
  named: string,
  { followsDirectory = true }: { readonly followsDirectory?: boolean } = {},
): AsyncGenerator<FoundFile> {
  const name = path.basename(named);
  if (filesOfStore.test(name))
    return void (yield failingFile(name, new AppError("UNSUPPORTED_IMAGE", because("fileIsNoFilm"))));
  const kind = await kindOfPath(dicom, named);
  if (kind === "folder") yield* filesOfFolder(dicom, named);
  else if (kind === "directory" && followsDirectory) yield* filesNamedIn(dicom, named);
  else if (kind === "archive") yield* filesOfArchive(name, named);
  else yield fileAt(named, name, false);
}

/** Nested archives are not opened. */
export async function* filesOfArchive(name: string, zip: Uint8Array | string): AsyncGenerator<FoundFile> {
  try {
    for await (const entry of zipEntries(zip, archiveLimits))
      if (!isOfMac(entry.name))
        yield { name: `${name}/${entry.name}`, isSearched: true, isAmongOthers: true, read: entry.read };
  } catch (error) {
    yield failingFile(name, error instanceof Error ? error : new AppError("INVALID_ARCHIVE"));
  }
}

function isOfMac(name: string): boolean {
  const parts = name.split(/[\\/]/);
  return parts.includes("__MACOSX") || (parts.at(-1) ?? "").startsWith("._");
}

/**
 * Finds the entries of a DICOMDIR if present, else all files; then unreadable subfolders and links to other folders,
 * each as a failing file.
 */
async function* filesOfFolder(dicom: DicomReader, folder: string): AsyncGenerator<FoundFile> {
  const directory = (await readdir(folder)).find((name) => name.toUpperCase() === "DICOMDIR");
  if (directory !== undefined && (await kindOfPath(dicom, path.join(folder, directory))) === "directory")
    return yield* filesNamedIn(dicom, path.join(folder, directory));
  const { files, closed, linked } = await contentsOf(folder);
  for (const file of inOrder(files)) {
    const name = path.relative(folder, file);
    if ((await kindOfPath(dicom, file)) === "archive") yield* filesOfArchive(name, file);
    else yield fileAt(file, name, true);
  }
  for (const below of inOrder(closed))
    yield failingFile(path.relative(folder, below), new AppError("NOT_FOUND", because("folderUnreadable")));
  for (const below of inOrder(linked))
    yield failingFile(path.relative(folder, below), new AppError("NOT_FOUND", because("folderLinked")));
}

/** Unreadable hidden folders, such as `.Trashes` of a stick, are ignored. */
async function contentsOf(folder: string): Promise<Record<"files" | "closed" | "linked", readonly string[]>> {
  const [files, closed, linked, open]: [string[], string[], string[], string[]] = [[], [], [], [folder]];
  const root = await realpath(folder);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => null);
    if (entries === null && !isHidden(path.basename(at))) closed.push(at);
    for (const entry of entries ?? []) {
      const below = path.join(at, entry.name);
      if (entry.isDirectory() && !isOfSystem(entry.name.toLowerCase())) open.push(below);
      if (isHidden(entry.name) || filesOfStore.test(entry.name)) continue;
      const target = entry.isSymbolicLink() ? await targetOf(below, root) : null;
      if (entry.isFile() || target === "file") files.push(below);
      if (target === "folder") linked.push(below);
    }
    if (files.length > folderFileLimit)
      throw new AppError("BODY_TOO_LARGE", because("folderTooLarge", { limit: folderFileLimit }));
  }
  return { files, closed, linked };
}

/** Returns null for targets within `root` and for files of a store. A link without a target fails when read. */
async function targetOf(link: string, root: string): Promise<"file" | "folder" | null> {
  try {
    const target = await realpath(link);
    const found = await stat(target);
    if (found.isDirectory()) return isWithin(target, root) ? null : "folder";
    return found.isFile() && !filesOfStore.test(path.basename(target)) ? "file" : null;
  } catch {
    return "file";
  }
}

function isOfSystem(folder: string): boolean {
  return systemFolders.includes(folder) || folder.startsWith(beginningOfBins);
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

function inOrder(paths: readonly string[]): readonly string[] {
  return paths.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));
}

async function* filesNamedIn(dicom: DicomReader, directory: string): AsyncGenerator<FoundFile> {
  const folder = path.dirname(directory);
  let named: readonly (readonly string[])[];
  try {
    named = (await directoryOf(dicom, directory)) ?? [];
  } catch (error) {
    yield failingFile(path.basename(directory), error instanceof Error ? error : new AppError("INVALID_DICOM"));
    return;
  }
  for (const components of named) {
    yield {
      name: components.join("/"),
      isSearched: false,
      isAmongOthers: true,
      read: async () => readLimited(await resolveNamed(folder, components)),
    };
  }
}

/** Case-insensitive, inside the folder only. */
async function resolveNamed(folder: string, components: readonly string[]): Promise<string> {
  assertInside(components);
  let at = folder;
  for (const component of components) {
    const names = (await readdir(at).catch(() => [])).filter((name) => !filesOfStore.test(name));
    const plain = (name: string) => name.toUpperCase().replace(/\.?(;\d+)?$/, "");
    const found = names.find((name) => name === component) ?? names.find((name) => plain(name) === plain(component));
    if (found === undefined) throw new AppError("NOT_FOUND", because("dicomdirFileMissing"));
    at = path.join(at, found);
  }
  const [root, file] = await Promise.all([realpath(folder), realpath(at)]);
  if (!isWithin(file, root)) throw new AppError("INVALID_DICOM", because("dicomdirOutside"));
  return file;
}

function fileAt(file: string, name: string, isSearched: boolean): FoundFile {
  return { name, isSearched, isAmongOthers: isSearched, read: () => readLimited(file) };
}

function failingFile(name: string, error: Error): FoundFile {
  return { name, isSearched: false, isAmongOthers: false, read: () => Promise.reject(error) };
}

async function readLimited(file: string): Promise<Uint8Array> {
  try {
    if ((await stat(file)).size > filmSizeLimitBytes) throw new AppError("BODY_TOO_LARGE", because("fileTooLarge"));
    return await readFile(file);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw new AppError("NOT_FOUND", because(isMissing ? "fileNotFound" : "fileUnreadable"), { cause });
  }
}

/** An unreadable file fails later. */
async function kindOfPath(dicom: DicomReader, named: string): Promise<"folder" | "directory" | "archive" | "file"> {
  try {
    if ((await stat(named)).isDirectory()) return "folder";
    const head = await headOf(named);
    if (kindOfFile(head) === "archive") return "archive";
    const isDirectory =
      isDicom(head) && path.basename(named).toUpperCase() === "DICOMDIR" && (await directoryOf(dicom, named)) !== null;
    return isDirectory ? "directory" : "file";
  } catch {
    return "file";
  }
}

/** Returns null for other DICOM files. */
async function directoryOf(dicom: DicomReader, file: string): Promise<readonly (readonly string[])[] | null> {
  return (await dicom.contents(await readLimited(file))).directory;
}

async function headOf(file: string): Promise<Uint8Array> {
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(signatureBytes), 0, signatureBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Enough for a DVD. */
const archiveLimits = {
  files: 10_000,
  fileBytes: filmSizeLimitBytes,
  totalBytes: 8 * 1024 * 1024 * 1024,
} as const;

const folderFileLimit = 50_000;
