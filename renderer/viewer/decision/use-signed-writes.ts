import { useEffect, useRef, type RefObject } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { attempt } from "../../state/faults.ts";
import { useFilms } from "../../state/films/films.ts";
import { runCommand } from "../../ui/keys/shortcuts.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { useSigning, type Write } from "../correction/signing.ts";
import { countDecided, isDecisionRun } from "./decision-run.ts";

export type SignedWrites = ReturnType<typeof useSignedWrites>;

/** Runs writes that need a signature; without a name, it focuses the name's field, and the write waits. */
export function useSignedWrites(film: Film, reading: Reading | null, nameField: RefObject<HTMLInputElement | null>) {
  const mode = useCorrection((state) => state.mode);
  const { unsigned, sign, dropUnsigned } = useSigning();
  const decidedId = useRef<string | null>(null);
  // A decision that waits for a name applies only to the reading and points shown when it was made.
  useEffect(() => dropUnsigned(), [mode, reading?.id, film.id, dropUnsigned]);
  useEffect(() => {
    if (unsigned) nameField.current?.focus();
  }, [unsigned, nameField]);
  const signed = (write: Write) =>
    attempt(async () => {
      if (!(await sign(write))) return;
      nameField.current?.blur();
      // Another film may be opened only now, when signing has ended.
      const isOpen = decidedId.current !== null && decidedId.current === useFilms.getState().openId;
      decidedId.current = null;
      if (isOpen && isDecisionRun()) runCommand("films.next");
    });
  /** Opens the next film afterwards if the worklist lists films to be decided. */
  const decide = (write: Write) =>
    signed(async (signature) => {
      if (!(await write(signature))) return false;
      countDecided(film.id);
      decidedId.current = film.id;
      return true;
    });
  return { signed, decide };
}
