import { z } from "zod";
import { nameOf } from "../../../identifiers.ts";
import type { Channels } from "../../channel.ts";
import { id, nothing, time } from "../shapes.ts";

export const usableOutcomes = ["empty", "ours", "older"] as const;

/** Outcomes for an unusable database. The catalogue has a sentence with advice for each. */
const unusableOutcomes = [
  "address",
  "certificateFile",
  "hostUnknown",
  "refused",
  "noAnswer",
  "noEncryption",
  "authorityUnknown",
  "otherName",
  "certificateTime",
  "signIn",
  "notAdmitted",
  "noDatabase",
  "full",
  "starting",
  "standby",
  "tooOld",
  "encoding",
  "noIcu",
  "others",
  "unfinishedCopy",
  "newer",
  "needsOwner",
  "noRights",
  "away",
] as const;

/** One that starts with / is the directory of a Unix socket. */
export const databaseHost = z.union([
  z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}._:-]{1,253}$/u),
  z
    .string()
    .trim()
    .regex(/^\/[^\p{Cc}]{0,1000}$/u),
]);

/** Address and credentials of a PostgreSQL database. */
const databaseAddress = z.strictObject({
  host: databaseHost,
  port: z.int().min(1).max(65_535),
  database: nameOf(63).min(1),
  /** "" for the name of the operating system's user. */
  user: nameOf(63),
  /** "" for none, or the one in .pgpass. */
  password: z.string().max(1000),
  /** Path of the PEM file with trusted authorities; "" for those the operating system trusts. */
  authorityFile: nameOf(1000),
});

const tested = z.object({
  outcome: z.enum([...usableOutcomes, ...unusableOutcomes]),
  isUsable: z.boolean(),
  /** Details: a version, an encoding or the server's message. */
  detail: z.string(),
  /** Address of the database without user and password. */
  place: z.string(),
  /** `copy`: existing data must be copied with `copyCommand`; `stays`: the database already contains a store. */
  present: z.enum(["none", "copy", "stays"]),
  copyCommand: z.string(),
});

const machine = z.object({
  id,
  name: z.string(),
  programVersion: z.string(),
  /** null after a regular end. */
  seenAt: time.nullable(),
  isAtWork: z.boolean(),
  isThis: z.boolean(),
});

const state = z.object({
  /** Current database, without user and password; null if the store is in `file`. */
  place: z.string().nullable(),
  file: z.string(),
  /** Source of the setting; null for the default, a file. */
  namedBy: z.enum(["arguments", "environment", "settings"]).nullable(),
  /** Store to be used from the next start on, if it differs; `database` null for the file. */
  next: z.object({ database: z.string().nullable(), test: tested.nullable() }).nullable(),
  /** Whether the operating system encrypts the stored password; otherwise only file permissions protect it. */
  isSealed: z.boolean(),
  canRestart: z.boolean(),
  machines: z.array(machine),
});

export const databaseContract = {
  "database.get": { request: nothing, response: state, permission: "administer" },
  /** Tests a database for at most 5 s without changing it. ABORTED if cancelled by `jobs.cancel`. */
  "database.test": {
    request: z.strictObject({ testId: z.uuid(), address: databaseAddress }),
    response: tested,
    permission: "administer",
  },
  /** null for the file, "present" to cancel a choice. CONFLICT if the command line or the environment specifies it. */
  "database.choose": {
    request: z.strictObject({ address: z.union([databaseAddress, z.literal("present")]).nullable() }),
    response: z.object({ tested: tested.nullable() }),
    permission: "administer",
  },
  /** Restarts the program. NOT_AVAILABLE if `canRestart` is false. */
  "database.restart": { request: nothing, response: nothing, permission: "administer" },
} as const satisfies Channels;

export type DatabaseAddress = z.infer<typeof databaseAddress>;
export type DatabaseOutcome = z.infer<typeof tested>["outcome"];
export type TestedDatabase = z.infer<typeof tested>;
export type DatabaseState = z.infer<typeof state>;
