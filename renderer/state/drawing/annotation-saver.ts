import type { AnnotationSet, AnnotationVersion } from "../../../core/contract/desktop/annotations.ts";
import { call, ProgramError } from "../connection.ts";
import { showFault } from "../faults.ts";
import { useProgram } from "../program.ts";
import type { UndoStack } from "./undo-stack.ts";

export type FilmAnnotations = {
  readonly versions: readonly AnnotationVersion[];
  readonly stack: UndoStack<AnnotationSet | null>;
};

type SaverParts = {
  /** Whether the user is signed in: the program attributes a saved version to the signed-in user. */
  readonly maySave: () => boolean;
  readonly of: (filmId: string) => FilmAnnotations;
  readonly onKept: (filmId: string, version: AnnotationVersion) => void;
  /** Called if a version is rejected: a newer version or another picture is current, or the film was removed. */
  readonly onRefused: (filmId: string) => void;
  readonly onDone: (filmId: string) => void;
  /** Called after each attempt, since the unsaved films may have changed. */
  readonly onTried: () => void;
};

/** Saves a user's annotations as versions, one at a time per film; changes during a save become the next version. */
function createSaver({ maySave, of, onKept, onRefused, onDone, onTried }: SaverParts) {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const saving = new Set<string>();
  const changed = new Set<string>();
  const saveNow = async (filmId: string): Promise<void> => {
    waiting.delete(filmId);
    if (saving.has(filmId)) return;
    saving.add(filmId);
    try {
      while (maySave() && changed.delete(filmId)) {
        const { stack, versions } = of(filmId);
        const last = versions.at(-1)?.set;
        const kept = stack.present ?? (last ? { ...last, calibration: null, annotations: [] } : null);
        const { userName = "" } = useProgram.getState().settings ?? {};
        const basedOn = versions.at(-1)?.version ?? 0;
        if (kept) onKept(filmId, await call("annotations.save", { filmId, basedOn, who: userName, set: kept }));
      }
    } catch (error) {
      // A newer version of another window takes precedence, and a removed film accepts no annotations. All other
      // failures are retried with the next change.
      if (error instanceof ProgramError && ["CONFLICT", "NOT_FOUND"].includes(error.code)) {
        changed.delete(filmId);
        onRefused(filmId);
      } else changed.add(filmId);
      showFault(error);
    } finally {
      saving.delete(filmId);
    }
    onTried();
    if (!changed.has(filmId)) onDone(filmId);
  };
  return {
    save: (filmId: string, afterMs: number) => {
      changed.add(filmId);
      clearTimeout(waiting.get(filmId));
      if (afterMs === 0) void saveNow(filmId);
      else
        waiting.set(
          filmId,
          setTimeout(() => void saveNow(filmId), afterMs),
        );
    },
    savePending: (filmId: string) => {
      if (!waiting.has(filmId)) void saveNow(filmId);
    },
    isBehind: (filmId: string) => changed.has(filmId) || saving.has(filmId),
    behind: (): readonly string[] => [...new Set([...changed, ...saving])],
  };
}

/** One saver per user; `savePending` saves the pending changes of the signed-in user. */
export function createSavers(partsOf: (personId: string) => SaverParts) {
  const savers = new Map<string, ReturnType<typeof createSaver>>();
  return {
    of: (personId: string) => {
      const saver = savers.get(personId) ?? createSaver(partsOf(personId));
      savers.set(personId, saver);
      return saver;
    },
    savePending: () => {
      for (const saver of savers.values()) for (const filmId of saver.behind()) saver.savePending(filmId);
    },
    behind: (): readonly string[] => [...savers.values()].flatMap((saver) => saver.behind()),
  };
}
