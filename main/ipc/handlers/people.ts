import { AppError } from "../../../core/app-error.ts";
import type { peopleContract } from "../../../core/contract/desktop/practice/people.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { listTrail, trailCsv } from "../../services/people/audit-trail.ts";
import { checkSecret } from "../../services/people/check-secret.ts";
import { changeSecret, createPerson, describePeople, turnUsersOff, turnUsersOn } from "../../services/people/people.ts";
import { ownWindow } from "../../services/people/person-sessions.ts";
import { editPerson, getPerson, peopleSetting } from "../../store/people/people.ts";
import { changeSetting } from "../../store/settings.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function peopleHandlers(parts: DesktopParts): Handlers<keyof typeof peopleContract> {
  return { ...sessionHandlers(parts), ...administeringHandlers(parts), ...auditHandlers(parts) };
}

type Group<Prefix extends string> = Handlers<Extract<keyof typeof peopleContract, `${Prefix}.${string}`>>;

function sessionHandlers({ context, sessions, pageSessions }: DesktopParts): Group<"session"> {
  const { db, now } = context;
  return {
    "session.get": (_request, session) => sessions.describe(session),
    "session.signIn": ({ personId, secret }, session) => sessions.signIn(session, personId, secret),
    "session.lock": (_, session) => sessions.lock(session),
    "session.touch": (_request, session) => sessions.touch(session),
    "session.forgetBrowser": async ({ isEveryOne }, session) => {
      if (session === ownWindow) throw new AppError("NOT_AVAILABLE");
      await recordAudit(db, { action: "session.signed_out", at: now(), detail: { isEveryOne } });
      pageSessions.forget(isEveryOne ? null : session);
    },
  };
}

function administeringHandlers({ context, sessions }: DesktopParts): Group<"people"> {
  const { db, now, raise } = context;
  const publishSession = () => raise({ name: "session.changed", payload: {} });
  return {
    "people.list": () => describePeople(context),
    "people.add": async (person) => {
      await createPerson(db, person, now());
      publishSession();
    },
    "people.edit": async ({ personId, name, ...changes }) => {
      if (await editPerson(db, personId, { ...changes, name: name?.normalize("NFC") }, now()))
        await sessions.dismiss(personId);
      publishSession();
    },
    "people.setSecret": async ({ personId, secret }, session) => {
      await sessions.changeSecret(personId, session, () => changeSecret(db, personId, secret, now()));
      publishSession();
    },
    "people.setOwnSecret": async ({ oldSecret, secret }, session) => {
      const { me } = await sessions.describe(session);
      if (me === null) throw new AppError("LOCKED");
      await checkSecret(context, me.id, oldSecret);
      await sessions.changeSecret(me.id, session, () => changeSecret(db, me.id, secret, now()));
      publishSession();
    },
    "people.turnOn": async ({ personId, secret }, session) => {
      if ((await getPerson(db, personId)).role !== "administrator") throw new AppError("NOT_PERMITTED");
      await checkSecret(context, personId, secret);
      await turnUsersOn(db, now());
      return sessions.signIn(session, personId, secret);
    },
    "people.configure": async ({ lockAfterMinutes }) => {
      await changeSetting(db, peopleSetting, (people) => ({ ...people, lockAfterMinutes }));
      publishSession();
    },
    "people.turnOff": async () => {
      await turnUsersOff(db, now());
      publishSession();
    },
  };
}

function auditHandlers({ context: { db } }: DesktopParts): Group<"audit"> {
  return {
    "audit.list": (query) => listTrail(db, query),
    "audit.csv": async (filter) => ({
      fileName: "audit-trail.csv",
      mediaType: "text/csv",
      text: await trailCsv(db, filter),
    }),
  };
}
