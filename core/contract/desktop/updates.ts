import { z } from "zod";
import type { Channels } from "../channel.ts";
import { failure, nothing, time } from "./shapes.ts";

const preparedRelease = z.object({
  version: z.string(),
  releasedAt: time,
  /** Changes that a clinic notices. */
  changes: z.string(),
  /** Downgrade, requested by a user. */
  isOlder: z.boolean(),
  /** It changes the store, which is copied before; of a practice's database this is the owner's business. */
  migrates: z.boolean(),
  /** Not installed before the owner of the practice's database has migrated it. */
  waitsForOwner: z.boolean(),
  isFromFile: z.boolean(),
});

export const updateState = z.object({
  currentVersion: z.string(),
  /** null if this installation can replace itself; otherwise why not. */
  whyNot: z.enum(["service", "not_installed", "no_key"]).nullable(),
  isAutomatic: z.boolean(),
  /** Where releases are looked for; null for nowhere, then only files are taken. */
  feed: z.string().nullable(),
  /** The clinic's own mirror; empty for none. */
  mirror: z.string(),
  checkedAt: time.nullable(),
  laterUntil: time.nullable(),
  phase: z.enum(["idle", "checking", "fetching", "ready", "installing"]),
  /** 0–1, while one is fetched. */
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

/** Releases of the program. In a browser they are those of the service's package: NOT_AVAILABLE. */
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
  /** Looks for a newer release, and fetches it. */
  "updates.check": { request: nothing, response: updateState, permission: "administer" },
  /** Shows the desktop's file dialog, checks and fetches the file. UPDATE_REFUSED contains the reason. */
  "updates.openFile": { request: nothing, response: updateState, permission: "administer" },
  /** Not before tomorrow. */
  "updates.later": { request: nothing, response: updateState, permission: "administer" },
  /** Ends the program, installs and restarts; otherwise `outcome` contains the reason for waiting. */
  "updates.install": {
    request: z.strictObject({ isUnsaved: z.boolean() }),
    response: updateState,
    permission: "administer",
  },
} as const satisfies Channels;

export type UpdateState = z.infer<typeof updateState>;
