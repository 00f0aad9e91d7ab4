import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { nameOf } from "../../../identifiers.ts";
import { formatLocales, languageCodes } from "../../../language/languages.ts";
import { auditActions, auditWays } from "../../../people/audit-actions.ts";
import { roles } from "../../../people/roles.ts";
import { id, nothing, page, textFile, time } from "../shapes.ts";

export const personName = nameOf(100).min(1);
const secret = z.string().min(4).max(200);
const role = z.enum(roles);

/** Idle time before the screen locks [min]. */
/** A working day: more would be no lock. */
export const mostLockMinutes = 480;
const lockAfterMinutes = z.int().min(1).max(mostLockMinutes);

const person = z.object({ id, name: z.string(), role, createdAt: time, retiredAt: time.nullable() });

/** Who is at the screen, and who may sign in. Without people there is neither. */
const session = z.object({
  isOn: z.boolean(),
  /** null: no user signed in, or the screen is locked. */
  me: person.pick({ id: true, name: true, role: true }).nullable(),
  /** Who may sign in, by name. */
  people: z.array(person.pick({ id: true, name: true })),
  /** Who was at the screen when it was locked. */
  lastId: id.nullable(),
  lockAfterMinutes,
  /** For the screen at the door, which sees no other setting. */
  language: z.enum(["system", ...languageCodes]),
  locale: z.enum(["language", ...formatLocales]),
  theme: z.enum(["system", "dark", "light"]),
});

const peopleList = z.object({
  isOn: z.boolean(),
  lockAfterMinutes,
  people: z.array(person),
  /** Command that resets a forgotten PIN of an administrator on this computer, and its effect. */
  forgotten: z.object({ does: z.enum(["newPin", "signInOff"]), command: z.string() }),
});

const auditFilter = {
  actions: z.array(z.enum(auditActions)).max(auditActions.length).optional(),
  /** Part of a name. */
  who: z.string().max(100).optional(),
  patientId: id.optional(),
  from: time.optional(),
  /** Before this moment. */
  to: time.optional(),
};

const auditEvent = z.object({
  seq: z.int(),
  at: time,
  action: z.enum(auditActions),
  via: z.enum(auditWays),
  who: z.string().nullable(),
  patientId: id.nullable(),
  /** The patient's present name; null if there is none, or none any more. */
  patientName: z.string().nullable(),
  subject: z.string().nullable(),
  /** File name of the film, or name of the user, that the event is about; null for others and erased films. */
  subjectName: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export const peopleContract = {
  "session.get": { request: nothing, response: session, permission: "enter", isAvailableWithoutDatabase: true },
  /**
   * Puts a person in the place of whoever was signed in. WRONG_SECRET; TOO_SOON after several wrong ones, which says
   * how long to wait.
   */
  "session.signIn": {
    request: z.strictObject({ personId: id, secret: z.string().min(1).max(200) }),
    response: session,
    permission: "enter",
    isAvailableWithoutDatabase: true,
  },
  /** Signs the user out. Locking a locked screen is not an error. */
  "session.lock": { request: nothing, response: session, permission: "enter", isAvailableWithoutDatabase: true },
  /** Activity of the user: restarts the time until the screen locks. */
  "session.touch": { request: nothing, response: nothing, permission: "look", isAvailableWithoutDatabase: true },
  /**
   * Takes the right to open the page away from this browser, or from every one. NOT_AVAILABLE in the program's own
   * window.
   */
  "session.forgetBrowser": {
    request: z.strictObject({ isEveryOne: z.boolean().default(false) }),
    response: nothing,
    permission: ({ isEveryOne }: { readonly isEveryOne: boolean }) => (isEveryOne ? "administer" : "look"),
  },
  "people.list": { request: nothing, response: peopleList, permission: "administer" },
  /** CONFLICT if the name exists. */
  "people.add": {
    request: z.strictObject({ name: personName, role, secret }),
    response: peopleList,
    permission: "administer",
    isCoalesced: true,
  },
  /**
   * Absent fields stay unchanged. Users are never deleted: a retired user cannot sign in. CONFLICT if no administrator
   * would remain.
   */
  "people.edit": {
    request: z.strictObject({
      personId: id,
      ...z.object({ name: personName, role, isRetired: z.boolean() }).partial().shape,
    }),
    response: peopleList,
    permission: "administer",
  },
  "people.setSecret": {
    request: z.strictObject({ personId: id, secret }),
    response: peopleList,
    permission: "administer",
  },
  /** One's own. WRONG_SECRET, TOO_SOON. */
  "people.setOwnSecret": {
    request: z.strictObject({ oldSecret: z.string().min(1).max(200), secret }),
    response: nothing,
    permission: "look",
  },
  /** From then on everybody signs in; an administrator does so with this call. WRONG_SECRET, TOO_SOON, CONFLICT. */
  "people.turnOn": {
    request: z.strictObject({ personId: id, secret: z.string().min(1).max(200) }),
    response: session,
    permission: "administer",
  },
  "people.configure": { request: z.strictObject({ lockAfterMinutes }), response: peopleList, permission: "administer" },
  "people.turnOff": { request: nothing, response: peopleList, permission: "administer" },
  /** Newest first. */
  "audit.list": {
    request: z.strictObject({ ...auditFilter, ...page }),
    response: z.object({ events: z.array(auditEvent), total: z.int() }),
    permission: "administer",
  },
  /** Oldest first. */
  "audit.csv": { request: z.strictObject(auditFilter), response: textFile, permission: "administer" },
} as const satisfies Channels;

export type PersonSession = z.infer<typeof session>;
export type Person = z.infer<typeof person>;
export type AuditEvent = z.infer<typeof auditEvent>;
