import { AppError } from "../../../core/app-error.ts";
import type { PersonSession } from "../../../core/contract/desktop/practice/people.ts";
import type { Actor } from "../../../core/people/audit-actions.ts";
import type { ChannelPermission } from "../../../core/contract/channel.ts";
import { roleHasPermission } from "../../../core/people/roles.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import type { WritableDb } from "../../store/connection.ts";
import { getPerson, listPeople, peopleSetting, type PersonRow } from "../../store/people/people.ts";
import { getSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { checkSecret } from "./check-secret.ts";

/** Session id of the program's window; a browser's is the hash of its cookie. */
export const ownWindow = "window";

/** Signed-in users by page, in memory only, so that a restart signs all out. */
export type PersonSessions = ReturnType<typeof createPersonSessions>;

/**
 * `secretHash`: hash at sign-in; null accepts any. `turnedOn`: number of times that sign-in had been turned on. A
 * difference of either ends the session.
 */
type Present = {
  readonly personId: string;
  readonly turnedOn: number;
  secretHash: string | null;
  activeAtMs: number;
};

/** @param store  returns the store in use: the practice's, or a temporary one while that is unavailable */
export function createPersonSessions(context: Omit<DesktopContext, "db">, store: () => WritableDb) {
  const { now, raise, log } = context;
  const present = new Map<string, Present>();
  const lastIds = new Map<string, string>();
  const changed = () => raise({ name: "session.changed", payload: {} });

  const leave = async (db: WritableDb, sessions: readonly string[], isIdle: boolean) => {
    const left = sessions.flatMap((session) => present.get(session) ?? []);
    // Remove first, so that no request is admitted while the audit event is written.
    for (const session of sessions) present.delete(session);
    for (const { personId } of left) {
      const by = actorOf(await getPerson(db, personId));
      await recordAudit(db, { action: "session.locked", at: now(), subject: personId, detail: { isIdle }, by });
      changed();
    }
  };
  const signOutWhere = (isTheirs: (here: Present, session: string) => boolean) =>
    leave(
      store(),
      [...present].flatMap(([session, here]) => (isTheirs(here, session) ? [session] : [])),
      false,
    );
  /** Role and name are read on every call, so that a retired user is signed out immediately. */
  const personAt = async (db: WritableDb, session: string): Promise<PersonRow | null> => {
    const { lockAfterMinutes, turnedOn } = await getSetting(db, peopleSetting);
    const here = present.get(session);
    if (!here) return null;
    if (now().getTime() - here.activeAtMs > lockAfterMinutes * 60_000) {
      await leave(db, [session], true);
      return null;
    }
    const person = await getPerson(db, here.personId);
    const isOther = here.secretHash !== null && person.secretHash !== here.secretHash;
    if (isOther || person.retiredAtMs !== null || turnedOn !== here.turnedOn) {
      await leave(db, [session], false);
      return null;
    }
    // The session may have been locked during the query.
    return present.get(session) === here ? person : null;
  };
  const describe = async (session: string): Promise<PersonSession> => {
    const db = store();
    const { isOn, lockAfterMinutes } = await getSetting(db, peopleSetting);
    const { language, locale, theme } = await getDesktopSettings(db);
    const me = isOn ? await personAt(db, session) : null;
    const people = isOn ? (await listPeople(db)).filter(({ retiredAtMs }) => retiredAtMs === null) : [];
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
    /** @throws AppError WRONG_SECRET, TOO_SOON */
    async signIn(session: string, personId: string, secret: string) {
      const db = store();
      const { turnedOn } = await getSetting(db, peopleSetting);
      const person = await checkSecret({ db, now, log }, personId, secret);
      if (present.get(session)?.personId !== personId) await leave(db, [session], false);
      await recordAudit(db, { action: "session.signed_in", at: now(), subject: personId, by: actorOf(person) });
      present.set(session, { personId, turnedOn, secretHash: person.secretHash, activeAtMs: now().getTime() });
      lastIds.set(session, personId);
      log.info({ security: "session.signed_in", personId }, "user signed in");
      changed();
      return describe(session);
    },
    async lock(session: string) {
      await leave(store(), [session], false);
      return describe(session);
    },
    touch(session: string) {
      const here = present.get(session);
      if (here) here.activeAtMs = now().getTime();
    },
    /** Signs the user out on all pages but the requesting one. */
    async changeSecret(personId: string, by: string, change: () => Promise<void>) {
      const own = present.get(by);
      const isOwn = own?.personId === personId;
      const before = own?.secretHash ?? null;
      if (isOwn) own.secretHash = null;
      try {
        await change();
      } catch (error) {
        if (isOwn) own.secretHash ??= before;
        throw error;
      }
      if (isOwn) own.secretHash = (await getPerson(store(), personId)).secretHash;
      await signOutWhere((here, session) => here.personId === personId && session !== by);
    },
    dismiss: (personId: string) => signOutWhere((here) => here.personId === personId),
    async isOpen(session: string) {
      const db = store();
      return !(await getSetting(db, peopleSetting)).isOn || (await personAt(db, session)) !== null;
    },
    /** @throws AppError LOCKED without a signed-in user, NOT_PERMITTED if the user's role lacks the permission */
    async admit(session: string, permission: ChannelPermission): Promise<Actor> {
      const db = store();
      if (!(await getSetting(db, peopleSetting)).isOn)
        return { via: "window", personId: null, who: (await getDesktopSettings(db)).userName || null };
      const person = await personAt(db, session);
      if (permission === "enter") return person ? actorOf(person) : { via: "window", personId: null, who: null };
      if (!person) throw new AppError("LOCKED");
      if (!roleHasPermission(person.role, permission)) throw new AppError("NOT_PERMITTED");
      return actorOf(person);
    },
  };
}

function actorOf({ id, name }: PersonRow): Actor {
  return { via: "window", personId: id, who: name };
}
