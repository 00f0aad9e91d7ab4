import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { id, nothing, time } from "../shapes.ts";

/** What looking at a database finds, when it can be used: nothing in it, a store of this program, of an older one. */
export const usableOutcomes = ["empty", "ours", "older"] as const;

/** Why it cannot be used. Each has a sentence with what to do. */
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

const line = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{Cc}]*$/u);

/** Where a PostgreSQL database is and who asks; a host that begins with / is the folder of a socket. */
const databaseAddress = z.strictObject({
  host: z.union([
    z
      .string()
      .trim()
      .regex(/^[\p{L}\p{N}._:-]{1,253}$/u),
    z
      .string()
      .trim()
      .regex(/^\/[^\p{Cc}]{0,1000}$/u),
  ]),
  port: z.int().min(1).max(65_535),
  database: line(63).min(1),
  /** "": as the system is signed in. */
  user: line(63),
  /** "": none, or the one of .pgpass. */
  password: z.string().max(1000),
  /** Path of the certificates of its authority, PEM; "": those that the system trusts. */
  authorityFile: line(1000),
});

const tested = z.object({
  outcome: z.enum([...usableOutcomes, ...unusableOutcomes]),
  isUsable: z.boolean(),
  /** What exactly: a version, an encoding, the server's word. */
  detail: z.string(),
  /** The database without user and password. */
  place: z.string(),
  /** `copy`: present data must be copied with `copyCommand`; `stays`: they remain next to another practice's. */
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
  /** Present place of the data: a database without user and password; null: in `file`. */
  place: z.string().nullable(),
  file: z.string(),
  /** Source of the setting; null for the default, the file. */
  namedBy: z.enum(["arguments", "environment", "settings"]).nullable(),
  /** From the next start on, if that is another place; `database` null: the file. */
  next: z.object({ database: z.string().nullable(), test: tested.nullable() }).nullable(),
  /** The operating system seals the password; otherwise only the rights of the file protect it. */
  isSealed: z.boolean(),
  canRestart: z.boolean(),
  machines: z.array(machine),
});

export const databaseContract = {
  "database.get": { request: nothing, response: state, permission: "administer" },
  /** Looks at a database for at most 5 s and changes nothing. ABORTED when `jobs.cancel` stopped it. */
  "database.test": {
    request: z.strictObject({ testId: z.uuid(), address: databaseAddress }),
    response: tested,
    permission: "administer",
  },
  /**
   * Place from the next start on; null: the file; "present": the present place, which cancels an earlier choice. A
   * database that cannot be used is rejected with the reason. CONFLICT if the command line or the environment names it.
   */
  "database.choose": {
    request: z.strictObject({ address: z.union([databaseAddress, z.literal("present")]).nullable() }),
    response: z.object({ tested: tested.nullable(), state }),
    permission: "administer",
  },
  /** Restarts the program. NOT_AVAILABLE if `canRestart` is false. */
  "database.restart": { request: nothing, response: nothing, permission: "administer" },
} as const satisfies Channels;

export type DatabaseAddress = z.infer<typeof databaseAddress>;
export type DatabaseOutcome = z.infer<typeof tested>["outcome"];
export type TestedDatabase = z.infer<typeof tested>;
export type DatabaseState = z.infer<typeof state>;
