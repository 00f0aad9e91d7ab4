import { create } from "zustand";
import type { PersonSession } from "../../core/contract/desktop/practice/people.ts";
import { roleHasPermission, type Permission } from "../../core/people/roles.ts";
import { clearForms } from "../ui/fields/kept-form.ts";
import { useLanguage } from "../ui/language/language.ts";
import { endNotes } from "../ui/notes/note-time.ts";
import { useAnonymous } from "./anonymous.ts";
import { call } from "./connection.ts";
import { useAnnotations } from "./drawing/annotations.ts";
import { showFault } from "./faults.ts";
import { useWrittenFindings } from "./films/written-findings.ts";
import { useNavigation } from "./navigation.ts";
import { applyTheme } from "./theme.ts";

type PeopleState = {
  /** null until the program has reported the session. */
  readonly session: PersonSession | null;
  readonly isSwitching: boolean;
  /** Whether the user locked the screen, but the request has not reached the program. */
  readonly isLockPending: boolean;
  readonly setSwitching: (isSwitching: boolean) => void;
  readonly receive: (session: PersonSession) => void;
  readonly load: () => Promise<PersonSession>;
  readonly signIn: (personId: string, secret: string) => Promise<void>;
  readonly lock: () => Promise<void>;
  /** Called when this page has been idle for the configured time; the program checks the other tabs. */
  readonly lockIfIdle: () => Promise<void>;
  readonly hide: () => void;
};

export const usePeople = create<PeopleState>((set, get) => ({
  session: null,
  isSwitching: false,
  isLockPending: false,
  setSwitching: (isSwitching) => set({ isSwitching }),
  receive: (session) => {
    applyTheme(session.theme);
    useLanguage.getState().setLanguage(session.language, session.locale);
    if (session.isOn) useWrittenFindings.getState().changePerson(session.me?.id ?? null);
    useAnnotations.getState().changePerson(session.isOn ? (session.me?.id ?? null) : "");
    if (session.isOn && session.me?.id !== get().session?.me?.id) {
      clearForms();
      closeQuestions();
    }
    set({ session });
  },
  load: async () => {
    const session = await call(get().isLockPending ? "session.lock" : "session.get", {});
    set({ isLockPending: false });
    get().receive(session);
    return session;
  },
  signIn: async (personId, secret) => {
    // Removals that can still be undone are carried out as the user who requested them.
    await endNotes();
    const { isLockPending } = get();
    // A new sign-in cancels the pending lock.
    set({ isLockPending: false });
    try {
      get().receive(await call("session.signIn", { personId, secret }));
    } catch (error) {
      set({ isLockPending });
      throw error;
    }
    set({ isSwitching: false });
  },
  lock: async () => {
    set({ isLockPending: true });
    try {
      await endNotes();
      await get().load();
    } catch (error) {
      get().hide();
      showFault(error);
    }
  },
  lockIfIdle: async () => {
    try {
      await get().load();
    } catch {
      // The program ends an idle session itself; ending it here could sign out a user who is active in another tab.
      get().hide();
    }
  },
  hide: () => {
    const { session } = get();
    if (session?.me) get().receive({ ...session, me: null, lastId: session.me.id });
  },
}));

function closeQuestions(): void {
  void useNavigation.getState().answer("stay");
  useAnonymous.getState().settle();
}

export function isLocked(session: PersonSession | null): boolean {
  return session !== null && session.isOn && session.me === null;
}

/** Whether the current user has a permission. The program enforces it; this only hides the control. */
export function usePermission(permission: Permission): boolean {
  return usePeople(
    ({ session }) => !session?.isOn || (session.me !== null && roleHasPermission(session.me.role, permission)),
  );
}
