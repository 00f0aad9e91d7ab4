import { desktopRoutes, filmSizeLimitBytes } from "../../../core/contract/desktop/routes.ts";
import type { Film, OpenedFiles, UnopenedFile } from "../../../core/contract/desktop/films.ts";
import { faultInWords } from "../../../core/language/failure-in-words.ts";
import { textNow } from "../../ui/language/language.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { ProgramError, uploadBytes } from "../connection.ts";
import { useLeftAlone } from "./left-alone.ts";

/** A file to open. `isOfFolder`: whether it was found in a chosen folder, which may contain other files. */
export type ChosenFile = { readonly file: File; readonly isOfFolder: boolean };

/** Maximum number of faults shown one by one; the others are counted. */
const faultsShown = 3;

type Drop = { readonly origin: "file" | "paste"; readonly droppedMs: number };

const tooLarge = { code: "BODY_TOO_LARGE", message: "", reason: { name: "fileTooLarge", values: {} } } as const;

export function createSending({ origin, droppedMs }: Drop, signal: AbortSignal) {
  let [faults, duplicates, left] = [0, 0, 0];
  const showFileFault = (file: UnopenedFile) => {
    faults += 1;
    useLeftAlone.getState().add({ faulty: [file] });
    if (faults <= faultsShown) showToast("fault", (say) => faultInWords(file, say), { about: file.code });
  };
  return {
    /** @returns films contained in the file; empty on failure */
    async send({ file, isOfFolder, place }: ChosenFile & { readonly place: number }): Promise<readonly Film[]> {
      try {
        signal.throwIfAborted();
        // Electron reads the whole body before the program can reject it, see Electron's lib/browser/api/protocol.ts.
        if (file.size > filmSizeLimitBytes) throw new ProgramError(tooLarge);
        const opened = await uploadBytes<OpenedFiles>(
          desktopRoutes.addFilm,
          {
            name: file.name,
            origin,
            dropped: String(droppedMs),
            place: String(place),
            ...(isOfFolder && { within: "folder" }),
          },
          file,
          signal,
        );
        opened.faults.forEach(showFileFault);
        if (opened.leftAlone.length > 0) useLeftAlone.getState().add({ noFilms: opened.leftAlone });
        duplicates += opened.films.filter(({ isNew }) => !isNew).length;
        return opened.films.map(({ film }) => film);
      } catch (error) {
        if (signal.aborted) {
          left += 1;
          return [];
        }
        if (!(error instanceof ProgramError)) console.error(error);
        const { code, reason } = error instanceof ProgramError ? error : { code: "UNKNOWN", reason: undefined };
        showFileFault({ name: file.name, code, message: "", ...(reason && { reason }) });
        return [];
      }
    },
    showSummary(): void {
      const text = textNow();
      if (faults > faultsShown) showToast("fault", text("films.moreFaults", { count: faults - faultsShown }));
      if (left > 0) showToast("note", text("films.stopped", { count: left }));
      if (duplicates > 0) showToast("note", text("films.duplicates", { count: duplicates }));
    },
  };
}
