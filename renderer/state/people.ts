import { create } from "zustand";
import type { DesktopRequest } from "../../core/contract/desktop.ts";
import type { PersonSession } from "../../core/contract/desktop/people.ts";
import { mayRole, type Permission } from "../../core/people/roles.ts";
import { forgetForms } from "../ui/fields/kept-form.ts";
import { useLanguage } from "../ui/language/language.ts";
import { call } from "./connection.ts";
import { showFault } from "./faults.ts";
import { useWrittenFindings } from "./films/written-findings.ts";
import { applyTheme } from "./theme.ts";

type PeopleState = {
  /** null until the program has said who is here. */
  readonly session: PersonSession | null;
  /** Whether the dialog to switch is open. */
  readonly isSwitching: boolean;
  readonly setSwitching: (isSwitching: boolean) => void;
  readonly receive: (session: PersonSession) => void;
  readonly load: () => Promise<PersonSession>;
  readonly signIn: (personId: string, secret: string) => Promise<void>;
  readonly lock: (how?: Lock) => Promise<void>;
  /** This page was not used for as long as the settings say: the program knows whether another tab of it was. */
  readonly lockIfIdle: () => Promise<void>;
};

type Lock = DesktopRequest<"session.lock">;

/** The screen was locked, and the program does not know yet. */
let owedLock: Lock | null = null;

/** Who is at this screen, and who may sign in. */
export const usePeople = create<PeopleState>((set, get) => ({
  session: null,
  isSwitching: false,
  setSwitching: (isSwitching) => set({ isSwitching }),
  receive: (session) => {
    applyTheme(session.theme);
    useLanguage.getState().setLanguage(session.language, session.locale);
    if (session.isOn) useWrittenFindings.getState().changePerson(session.me?.id ?? null);
    if (session.isOn && session.me?.id !== get().session?.me?.id) forgetForms();
    set({ session });
  },
  load: async () => {
    const session = await (owedLock ? call("session.lock", owedLock) : call("session.get", {}));
    owedLock = null;
    get().receive(session);
    return session;
  },
  signIn: async (personId, secret) => {
    const owed = owedLock;
    // Whoever knows the secret is not locked out again by what was owed before.
    owedLock = null;
    try {
      get().receive(await call("session.signIn", { personId, secret }));
    } catch (error) {
      owedLock = owed;
      throw error;
    }
    set({ isSwitching: false });
  },
  lock: async (how = {}) => {
    owedLock = how;
    try {
      await get().load();
    } catch (error) {
      // What is on the screen goes also while the program cannot be told.
      const { session } = get();
      if (session?.me) get().receive({ ...session, me: null, lastId: session.me.id });
      showFault(error);
    }
  },
  lockIfIdle: async () => {
    try {
      await get().load();
    } catch {
      // While the program cannot be asked, what is on this screen goes.
      await get().lock({ isIdle: true });
    }
  },
}));

/** Whether people sign in here and nobody has. */
export function isLocked(session: PersonSession | null): boolean {
  return session !== null && session.isOn && session.me === null;
}

/** Whether whoever is here may do something; the program decides, this only spares the question. */
export function useMay(permission: Permission): boolean {
  return usePeople(({ session }) => !session?.isOn || (session.me !== null && mayRole(session.me.role, permission)));
}
