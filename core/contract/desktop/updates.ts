import { z } from "zod";
import type { Channels } from "../channel.ts";
import { failure, nothing, time } from "./shapes.ts";

const preparedRelease = z.object({
  version: z.string(),
  releasedAt: time,
  changes: z.string(),
  isOlder: z.boolean(),
  /** The release migrates the store, which is backed up first. A practice's database is migrated by its owner only. */
  migrates: z.boolean(),
  /** Not installed until the owner of the practice's database has migrated it. */
  waitsForOwner: z.boolean(),
});

const updateState = z.object({
  /** Why this installation cannot update itself; null if it can. */
  whyNot: z.enum(["service", "not_installed", "no_key"]).nullable(),
  isAutomatic: z.boolean(),
  /** Address of the release feed; null for none, in which case only files are accepted. */
  feed: z.string().nullable(),
  /** The clinic's own mirror; empty for none. */
  mirror: z.string(),
  checkedAt: time.nullable(),
  laterUntil: time.nullable(),
  phase: z.enum(["idle", "checking", "fetching", "ready"]),
  /** Progress of the download, 0–1. */
  fetched: z.number(),
  release: preparedRelease.nullable(),
  /** Result of the last check or attempt; null before the first one. */
  outcome: z
    .union([
      z.object({ kind: z.literal("current") }),
      z.object({ kind: z.literal("wait"), reason: z.enum(["under_way", "unsaved", "later", "not_in_share", "owner"]) }),
      z.object({ kind: z.literal("failed"), failure }),
    ])
    .nullable(),
});

/** Releases of the program. NOT_AVAILABLE in a browser, where the package of the service is updated instead. */
export const updatesContract = {
  "updates.get": { request: nothing, response: updateState, permission: "look" },
  /** `mirror`: https; empty for the default address. Absent fields stay unchanged. */
  "updates.configure": {
    request: z.strictObject({
      isAutomatic: z.boolean().optional(),
      mirror: z.union([z.literal(""), z.url().max(500)]).optional(),
    }),
    response: updateState,
    permission: "administer",
  },
  "updates.check": { request: nothing, response: updateState, permission: "administer" },
  /** Shows the file dialog, checks the chosen file and copies it. UPDATE_REFUSED contains the reason. */
  "updates.openFile": { request: nothing, response: updateState, permission: "administer" },
  "updates.later": { request: nothing, response: updateState, permission: "administer" },
  /** Quits the program, installs and restarts; if it has to wait, `outcome` contains the reason. */
  "updates.install": {
    request: z.strictObject({ isUnsaved: z.boolean() }),
    response: updateState,
    permission: "administer",
  },
} as const satisfies Channels;

export type UpdateState = z.infer<typeof updateState>;
