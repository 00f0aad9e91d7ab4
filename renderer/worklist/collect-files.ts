import type { UnopenedFile } from "../../core/contract/desktop/films.ts";
import type { ChosenFile } from "../state/transfers/sent-files.ts";

/** Names of files that cannot be films; the program judges all others by content. DICOM files may have no extension. */
const refused = /\.(txt|docx?|xlsx?|html?|exe|dll|inf|ini|js|json|xml|log|db)$/i;

/** Files of a drop or a selection: those to upload, and the others with the reason. */
export type Collected = {
  readonly files: readonly ChosenFile[];
  readonly noFilms: readonly UnopenedFile[];
  readonly faulty?: readonly UnopenedFile[];
};

/** Why a file is not uploaded, determined from its name; null if it is uploaded. */
export function reasonToSkip(name: string): UnopenedFile["reason"] | null {
  if (name.startsWith(".")) return { name: "fileHidden", values: {} };
  const [, ending] = refused.exec(name) ?? [];
  return ending ? { name: "fileNamedOtherwise", values: { ending } } : null;
}

/**
 * All files of a drop including subfolders, in the order of their paths. Electron uploads their bytes too, rather than
 * passing paths, so that both transports share order, progress, cancellation and summary.
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

/** Natural order: film 2 before film 10. */
const naturally = new Intl.Collator(undefined, { numeric: true });
const placeOf = ({ file }: ChosenFile) => file.webkitRelativePath || file.name;

/** Separates files that cannot be films, and the DICOMDIR of a medium whose files are included. */
function chosen(files: readonly ChosenFile[]): Collected {
  const checked = files.map((each) => ({
    ...each,
    reason:
      files.length > 1 && each.file.name.toUpperCase() === "DICOMDIR"
        ? { name: "dicomdirOfMedium", values: {} }
        : reasonToSkip(each.file.name),
  }));
  return {
    files: checked.filter(({ reason }) => reason === null).map(({ file, isOfFolder }) => ({ file, isOfFolder })),
    noFilms: checked.flatMap(({ file, reason }) =>
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

/** Pictures on the clipboard; unnamed ones are named by the time of pasting. */
export function filesOfClipboard(transfer: DataTransfer, now: Date): Collected {
  const files = [...transfer.files];
  const stamp = now.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  const named = files.map((file) =>
    /^image\.\w+$/.test(file.name) ? new File([file], `${stamp} ${file.name}`, { type: file.type }) : file,
  );
  return chosen(named.map((file) => ({ file, isOfFolder: false })));
}
