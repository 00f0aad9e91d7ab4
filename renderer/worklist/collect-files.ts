/** Files that may hold a film, judged by name: the program looks at the content. Files without extension may be DICOM. */
const refused = /\.(txt|pdf|docx?|xlsx?|html?|exe|dll|inf|ini|js|json|xml|log|db)$/i;

/** Whether it is worth sending a file to the program. */
export function isCandidate(name: string): boolean {
  return !name.startsWith(".") && !refused.test(name);
}

/** All files of a drop, folders walked to the bottom, in the order of their paths. */
export async function filesOfDrop(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].filter((file) => isCandidate(file.name));
  const nested = await Promise.all(entries.map(filesOfEntry));
  return nested.flat().filter((file) => isCandidate(file.name));
}

async function filesOfEntry(entry: FileSystemEntry): Promise<File[]> {
  if (entry instanceof FileSystemFileEntry || entry.isFile) {
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const children: FileSystemEntry[] = [];
  // The reader hands out a hundred entries at a time and an empty list at the end.
  for (let some = await readSome(reader); some.length > 0; some = await readSome(reader)) children.push(...some);
  children.sort((a, b) => a.fullPath.localeCompare(b.fullPath, undefined, { numeric: true }));
  const nested = await Promise.all(children.map(filesOfEntry));
  return nested.flat();
}

function readSome(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

/** Pictures on the clipboard, named by the time of pasting when they have no name. */
export function filesOfClipboard(transfer: DataTransfer, now: Date): File[] {
  const files = [...transfer.files].filter((file) => file.type.startsWith("image/") || isCandidate(file.name));
  const stamp = now.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  return files.map((file) => (/^image\.\w+$/.test(file.name) ? new File([file], `${stamp} ${file.name}`, { type: file.type }) : file));
}
