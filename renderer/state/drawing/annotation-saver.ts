import type { AnnotationSet, AnnotationVersion } from "../../../core/contract/desktop/annotations.ts";
import { call, ProgramError } from "../connection.ts";
import { showFault } from "../faults.ts";
import { useProgram } from "../program.ts";
import type { UndoStack } from "./undo-stack.ts";

/** A film's annotations: the versions that are kept, and what was done in this window. */
export type FilmAnnotations = {
  readonly versions: readonly AnnotationVersion[];
  readonly stack: UndoStack<AnnotationSet | null>;
};

type SaverParts = {
  readonly of: (filmId: string) => FilmAnnotations;
  readonly onKept: (filmId: string, version: AnnotationVersion) => void;
  /** What was drawn on a film is not kept: another window's version counts, or another picture of it is shown. */
  readonly onRefused: (filmId: string) => void;
  /** Everything of a film is kept, or refused. */
  readonly onDone: (filmId: string) => void;
  /** An attempt has ended, well or not: films that are behind may be others. */
  readonly onTried: () => void;
};

/** Keeps one version after another of each film; what changes while one is being kept is the next. */
export function createSaver({ of, onKept, onRefused, onDone, onTried }: SaverParts) {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const saving = new Set<string>();
  const changed = new Set<string>();
  const saveNow = async (filmId: string): Promise<void> => {
    waiting.delete(filmId);
    if (saving.has(filmId)) return;
    saving.add(filmId);
    try {
      while (changed.delete(filmId)) {
        const { stack, versions } = of(filmId);
        const last = versions.at(-1)?.set;
        const kept = stack.present ?? (last ? { ...last, calibration: null, annotations: [] } : null);
        const { userName = "" } = useProgram.getState().settings ?? {};
        const basedOn = versions.at(-1)?.version ?? 0;
        if (kept) onKept(filmId, await call("annotations.save", { filmId, basedOn, who: userName, set: kept }));
      }
    } catch (error) {
      // What another window drew counts, and a film that is gone is drawn on no more; what else the program could not
      // be told is told with the next change.
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
    /** Tries again what could not be kept. */
    goOn: (filmId: string) => {
      if (!waiting.has(filmId)) void saveNow(filmId);
    },
    /** Whether something of a film is not kept yet. */
    isBehind: (filmId: string) => changed.has(filmId) || saving.has(filmId),
    /** Films of which something is not kept yet. */
    behind: (): readonly string[] => [...new Set([...changed, ...saving])],
  };
}
