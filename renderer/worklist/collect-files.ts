import type { UnopenedFile } from "../../core/contract/desktop/films.ts";
import type { ChosenFile } from "../state/transfers/sent-files.ts";

/**
 * Files that may hold a film, judged by name: the program looks at the content. Files without extension may be DICOM.
 */
const refused = /\.(txt|docx?|xlsx?|html?|exe|dll|inf|ini|js|json|xml|log|db)$/i;

/** What came with a drop or a choice: the files to send, and the others, each with the reason. */
export type Collected = {
  readonly files: readonly ChosenFile[];
  readonly noFilms: readonly UnopenedFile[];
  readonly faulty?: readonly UnopenedFile[];
};

/** Why it is not worth sending a file to the program; null where it is. */
export function reasonNotToSend(name: string): UnopenedFile["reason"] | null {
  if (name.startsWith(".")) return { name: "fileHidden", values: {} };
  const [, ending] = refused.exec(name) ?? [];
  return ending ? { name: "fileNamedOtherwise", values: { ending } } : null;
}

/**
 * All files of a drop, folders walked to the bottom, in the order of their paths. They are sent as bytes in Electron
 * too, not as paths: uploads of both transports have one order, progress, end and summary.
 */
export async function filesOfDrop(transfer: DataTransfer): Promise<Collected> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return chosen([...transfer.files].map((file) => ({ file, isOfFolder: false })));
  const faulty: UnopenedFile[] = [];
  const nested = await Promise.all(entries.map((entry) => filesOfEntry(entry, { isOfFolder: false, faulty })));
  return { ...chosen(nested.flat()), faulty };
}

export function filesOfField(files: FileList | null): Collected {
  const all = [...(files ?? [])].map((file) => ({ file, isOfFolder: file.webkitRelativePath !== "" }));
  return chosen(all.sort((a, b) => naturally.compare(placeOf(a), placeOf(b))));
}

/** Names as people sort them: film 2 before film 10. */
const naturally = new Intl.Collator(undefined, { numeric: true });
const placeOf = ({ file }: ChosenFile) => file.webkitRelativePath || file.name;

/** Drops files that cannot be films, and the directory file of a CD that is complete. */
function chosen(files: readonly ChosenFile[]): Collected {
  const judged = files.map((each) => ({
    ...each,
    reason:
      files.length > 1 && each.file.name.toUpperCase() === "DICOMDIR"
        ? { name: "dicomdirOfMedium", values: {} }
        : reasonNotToSend(each.file.name),
  }));
  return {
    files: judged.filter(({ reason }) => reason === null).map(({ file, isOfFolder }) => ({ file, isOfFolder })),
    noFilms: judged.flatMap(({ file, reason }) =>
      reason ? [{ name: file.webkitRelativePath || file.name, code: "UNSUPPORTED_IMAGE", message: "", reason }] : [],
    ),
  };
}

/** @param faulty  receives the files and folders that cannot be read */
async function filesOfEntry(
  entry: FileSystemEntry,
  { isOfFolder, faulty }: { readonly isOfFolder: boolean; readonly faulty: UnopenedFile[] },
): Promise<ChosenFile[]> {
  const children: FileSystemEntry[] = [];
  try {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      return [{ file, isOfFolder }];
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // The reader returns up to a hundred entries per call and an empty list at the end.
    for (let some = await readSome(reader); some.length > 0; some = await readSome(reader)) children.push(...some);
  } catch {
    faulty.push({ name: entry.fullPath, code: "NOT_FOUND", message: "", reason: unreadable });
  }
  children.sort((a, b) => a.fullPath.localeCompare(b.fullPath, undefined, { numeric: true }));
  const nested = await Promise.all(children.map((child) => filesOfEntry(child, { isOfFolder: true, faulty })));
  return nested.flat();
}

const unreadable = { name: "fileUnreadable", values: {} } as const;

function readSome(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

/** Pictures on the clipboard, named by the time of pasting when they have no name. */
export function filesOfClipboard(transfer: DataTransfer, now: Date): Collected {
  const files = [...transfer.files];
  const stamp = now.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  const named = files.map((file) =>
    /^image\.\w+$/.test(file.name) ? new File([file], `${stamp} ${file.name}`, { type: file.type }) : file,
  );
  return chosen(named.map((file) => ({ file, isOfFolder: false })));
}
