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

/** Maximum idle time before the screen locks: one working day [min]. */
export const maxLockMinutes = 480;
const lockAfterMinutes = z.int().min(1).max(maxLockMinutes);

const person = z.object({ id, name: z.string(), role, createdAt: time, retiredAt: time.nullable() });

/** The signed-in user, and users who may sign in. Neither exists while sign-in is off. */
const session = z.object({
  isOn: z.boolean(),
  /** null if no user is signed in or the screen is locked. */
  me: person.pick({ id: true, name: true, role: true }).nullable(),
  people: z.array(person.pick({ id: true, name: true })),
  /** User who was signed in when the screen was locked. */
  lastId: id.nullable(),
  lockAfterMinutes,
  /** For the sign-in screen, which has no access to other settings. */
  language: z.enum(["system", ...languageCodes]),
  locale: z.enum(["language", ...formatLocales]),
  theme: z.enum(["system", "dark", "light"]),
});

const peopleList = z.object({
  isOn: z.boolean(),
  lockAfterMinutes,
  people: z.array(person),
  /** Command that resets an administrator's forgotten PIN on this computer, and its effect. */
  forgotten: z.object({ does: z.enum(["newPin", "signInOff"]), command: z.string() }),
});

const auditFilter = {
  actions: z.array(z.enum(auditActions)).max(auditActions.length).optional(),
  who: z.string().max(100).optional(),
  patientId: id.optional(),
  from: time.optional(),
  /** Exclusive. */
  to: time.optional(),
};

const auditEvent = z.object({
  seq: z.int(),
  at: time,
  action: z.enum(auditActions),
  via: z.enum(auditWays),
  who: z.string().nullable(),
  patientId: id.nullable(),
  /** The patient's current name; null if the event has no patient or the patient was erased. */
  patientName: z.string().nullable(),
  subject: z.string().nullable(),
  /** File name of the film or name of the user that the event is about; null for other events and erased films. */
  subjectName: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export const peopleContract = {
  "session.get": { request: nothing, response: session, permission: "enter", isAvailableWithoutDatabase: true },
  /** Replaces the signed-in user. WRONG_SECRET; TOO_SOON after several wrong attempts, with the time to wait. */
  "session.signIn": {
    request: z.strictObject({ personId: id, secret: z.string().min(1).max(200) }),
    response: session,
    permission: "enter",
    isAvailableWithoutDatabase: true,
  },
  /** Signs the user out. Locking a locked screen is not an error. */
  "session.lock": { request: nothing, response: session, permission: "enter", isAvailableWithoutDatabase: true },
  /** Reports activity of the user, which restarts the idle time. */
  "session.touch": { request: nothing, response: nothing, permission: "look", isAvailableWithoutDatabase: true },
  /** Revokes the access of this browser, or of all browsers, to the page. NOT_AVAILABLE in the program's own window. */
  "session.forgetBrowser": {
    request: z.strictObject({ isEveryOne: z.boolean().default(false) }),
    response: nothing,
    permission: ({ isEveryOne }: { readonly isEveryOne: boolean }) => (isEveryOne ? "administer" : "look"),
  },
  "people.list": { request: nothing, response: peopleList, permission: "administer" },
  /** CONFLICT if the name exists. */
  "people.add": {
    request: z.strictObject({ name: personName, role, secret }),
    response: nothing,
    permission: "administer",
  },
  /** Users are never deleted: a retired user cannot sign in. CONFLICT if no administrator would remain. */
  "people.edit": {
    request: z.strictObject({
      personId: id,
      ...z.object({ name: personName, role, isRetired: z.boolean() }).partial().shape,
    }),
    response: nothing,
    permission: "administer",
  },
  "people.setSecret": {
    request: z.strictObject({ personId: id, secret }),
    response: nothing,
    permission: "administer",
  },
  /** WRONG_SECRET, TOO_SOON */
  "people.setOwnSecret": {
    request: z.strictObject({ oldSecret: z.string().min(1).max(200), secret }),
    response: nothing,
    permission: "look",
  },
  /** Turns sign-in on; the calling administrator is signed in with it. WRONG_SECRET, TOO_SOON, CONFLICT. */
  "people.turnOn": {
    request: z.strictObject({ personId: id, secret: z.string().min(1).max(200) }),
    response: session,
    permission: "administer",
  },
  "people.configure": { request: z.strictObject({ lockAfterMinutes }), response: nothing, permission: "administer" },
  "people.turnOff": { request: nothing, response: nothing, permission: "administer" },
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
