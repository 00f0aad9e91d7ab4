import { create } from "zustand";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useFilms } from "../../state/films/films.ts";
import { useSelection } from "../../state/films/selection.ts";
import { useWrittenFindings, writtenOn } from "../../state/films/written-findings.ts";
import { usePeople } from "../../state/people.ts";
import { useProgram } from "../../state/program.ts";
import { useNavigation } from "../../state/navigation.ts";
import { settleToasts, showToast } from "../../ui/notes/toasts.ts";
import { removeFromDecided } from "../decision/decision-run.ts";
import { changeFindings, forgetSaved, keptFindings } from "../findings/unsaved-findings.ts";

export type Signature = { readonly who: string; readonly remark: string };

export type Write = (signature: Signature) => Promise<boolean>;

type SigningState = {
  /** Name that was typed and not used yet; the settings contain the last one used. */
  readonly typedName: string | null;
  readonly unsigned: { readonly filmId: string; readonly write: Write } | null;
  /** Film whose reading is being saved; further presses of the button are ignored. */
  readonly savingId: string | null;
  readonly typeName: (name: string) => void;
  /** Without a name, the reading is kept in `unsigned`. @returns whether the reading was saved */
  readonly sign: (write: Write) => Promise<boolean>;
  readonly dropUnsigned: () => void;
};

export const useSigning = create<SigningState>((set, get) => ({
  typedName: null,
  unsigned: null,
  savingId: null,
  typeName: (typedName) => set({ typedName }),
  dropUnsigned: () => {
    if (get().unsigned) set({ unsigned: null });
  },
  sign: async (write) => {
    const { openId: filmId, readings } = useFilms.getState();
    const before = readings.at(-1) ?? null;
    if (filmId === null || get().savingId === filmId) return false;
    const { settings } = useProgram.getState();
    const who = signedInName(usePeople.getState()) ?? get().typedName ?? settings?.userName ?? "";
    if (who.trim() === "") {
      set({ unsigned: { filmId, write } });
      return false;
    }
    const remark = writtenOn(useWrittenFindings.getState(), filmId) ?? keptFindings(before);
    set({ unsigned: null, savingId: filmId });
    const isSaved = await write({ who, remark }).finally(() => set({ savingId: null }));
    if (!isSaved) return false;
    forgetSaved(filmId, remark);
    showSaved(filmId, before);
    await saveUserName(who.trim());
    set({ typedName: null });
    return true;
  },
}));

/** Null where users do not sign in. */
function signedInName({ session }: ReturnType<typeof usePeople.getState>): string | null {
  return session?.isOn ? (session.me?.name ?? "") : null;
}

export function useSignedInName(): string | null {
  return usePeople(signedInName);
}

export function useSigner(): string {
  const userName = useProgram((state) => state.settings?.userName ?? "");
  const typedName = useSigning((state) => state.typedName);
  return useSignedInName() ?? typedName ?? userName;
}

/** Confirms a saved reading and offers to undo it. A film's first reading can be undone only if it is a rejection. */
function showSaved(filmId: string, before: Reading | null): void {
  const saved = useFilms.getState().readings.at(-1);
  const isUndoable =
    saved?.filmId === filmId && (before === null ? saved.verdict === "rejected" : saved.id !== before.id);
  settleToasts("saved");
  showToast("note", (say) => say("result.saved"), {
    about: "saved",
    ...(isUndoable && { action: { label: (say) => say("viewer.undo"), onChoose: () => attempt(() => undo(saved)) } }),
  });
}

/** The findings of the undone reading return to the field, unsaved. */
async function undo({ id: readingId, filmId, remark }: Reading): Promise<void> {
  const { film, reading } = await call("readings.undo", { filmId, readingId });
  removeFromDecided(filmId);
  useNavigation.getState().leave(() => {
    // A film that stays selected would keep its place ahead of the film that reappears in the list.
    useSelection.getState().only(filmId);
    useFilms.getState().open(filmId);
  });
  useFilms.getState().addReading(film, reading);
  if (remark !== "") changeFindings(filmId, keptFindings(reading), remark);
}

async function saveUserName(userName: string): Promise<void> {
  const { settings, save } = useProgram.getState();
  if (!usePeople.getState().session?.isOn && settings?.userName !== userName) await save({ userName });
}
