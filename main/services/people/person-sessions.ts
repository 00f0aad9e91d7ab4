import { AppError } from "../../../core/app-error.ts";
import type { PersonSession } from "../../../core/contract/desktop/people.ts";
import type { Actor } from "../../../core/people/audit-actions.ts";
import type { ChannelPermission } from "../../../core/people/channel-permissions.ts";
import { mayRole } from "../../../core/people/roles.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { getPerson, listPeople, peopleSetting, type PersonRow } from "../../store/people.ts";
import { getSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { checkSecret } from "./check-secret.ts";

/** The program's own window; a browser's page has the hash of its cookie. */
export const ownWindow = "window";

/** Who is at each page's screen. Nothing of it is kept: after a start everybody signs in. */
export type PersonSessions = {
  describe(session: string): PersonSession;
  /** @throws AppError WRONG_SECRET, TOO_SOON */
  signIn(session: string, personId: string, secret: string): Promise<PersonSession>;
  lock(session: string): PersonSession;
  /** Somebody is at the screen. */
  touch(session: string): void;
  /** Nobody is signed in as this person from now on: the secret is another one. */
  end(personId: string, except?: string): void;
  /** Whether a page may be told what happens. */
  isOpen(session: string): boolean;
  /** @throws AppError LOCKED where somebody has to sign in first, NOT_PERMITTED where the role does not include it */
  admit(session: string, permission: ChannelPermission): Actor;
};

type Present = { readonly personId: string; activeAtMs: number };

export function createPersonSessions(context: DesktopContext): PersonSessions {
  const { db, now, publish, log } = context;
  const present = new Map<string, Present>();
  const lastIds = new Map<string, string>();
  const settings = () => getSetting(db, peopleSetting);
  const changed = () => publish({ name: "session.changed", payload: {} });

  const leave = (session: string, isIdle: boolean) => {
    const left = present.get(session);
    if (!left) return;
    present.delete(session);
    const by = actorOf(getPerson(db, left.personId));
    recordAudit(db, { action: "session.locked", at: now(), subject: left.personId, detail: { isIdle }, by });
    changed();
  };
  /** Role and name are read anew each time: who retires is out at once. */
  const personAt = (session: string): PersonRow | null => {
    const here = present.get(session);
    if (!here) return null;
    if (now().getTime() - here.activeAtMs > settings().lockAfterMinutes * 60_000) {
      leave(session, true);
      return null;
    }
    const person = getPerson(db, here.personId);
    return person.retiredAtMs === null ? person : null;
  };
  const describe = (session: string): PersonSession => {
    const { isOn, lockAfterMinutes } = settings();
    const { language, locale, theme } = getDesktopSettings(db);
    const me = isOn ? personAt(session) : null;
    const people = isOn ? listPeople(db).filter(({ retiredAtMs }) => retiredAtMs === null) : [];
    return {
      isOn,
      me: me && { id: me.id, name: me.name, role: me.role },
      people: people.map(({ id, name }) => ({ id, name })),
      lastId: lastIds.get(session) ?? null,
      lockAfterMinutes,
      language,
      locale,
      theme,
    };
  };
  return {
    describe,
    async signIn(session, personId, secret) {
      const person = await checkSecret(context, personId, secret);
      present.set(session, { personId, activeAtMs: now().getTime() });
      lastIds.set(session, personId);
      recordAudit(db, { action: "session.signed_in", at: now(), subject: personId, by: actorOf(person) });
      log.info({ security: "session.signed_in", personId }, "somebody signed in");
      changed();
      return describe(session);
    },
    lock(session) {
      leave(session, false);
      return describe(session);
    },
    touch(session) {
      const here = present.get(session);
      if (here) here.activeAtMs = now().getTime();
    },
    end(personId, except) {
      for (const [session, here] of present)
        if (here.personId === personId && session !== except) leave(session, false);
    },
    isOpen: (session) => !settings().isOn || personAt(session) !== null,
    admit(session, permission) {
      if (!settings().isOn) return { via: "window", personId: null, who: getDesktopSettings(db).userName || null };
      const person = personAt(session);
      if (permission === "enter") return person ? actorOf(person) : { via: "window", personId: null, who: null };
      if (!person) throw new AppError("LOCKED");
      if (!mayRole(person.role, permission)) throw new AppError("NOT_PERMITTED");
      return actorOf(person);
    },
  };
}

function actorOf({ id, name }: PersonRow): Actor {
  return { via: "window", personId: id, who: name };
}
