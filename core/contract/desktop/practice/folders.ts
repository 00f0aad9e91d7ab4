import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { time } from "../shapes.ts";

export const sidecarFormats = ["json", "csv", "pdf", "hl7"] as const;

const folderPath = z.string().trim().min(1).max(1000);

export const folderSettings = z.strictObject({
  /** `move`: files are moved into `done` or `failed` below the folder; `leave`: files are not touched. */
  folders: z.array(z.strictObject({ path: folderPath, afterwards: z.enum(["move", "leave"]) })).max(10),
  outbox: folderPath.nullable(),
  formats: z.array(z.enum(sidecarFormats)),
  /** Time from which results of all films are written; null for films of watched folders only. */
  allFilmsSince: time.nullable().default(null),
});

const state = z.object({
  settings: folderSettings,
  folders: z.array(
    z.object({
      path: z.string(),
      isReachable: z.boolean(),
      /** Files that are incomplete or locked by another program. */
      waiting: z.int(),
      opened: z.int(),
      failed: z.int(),
      /** Older files beyond the scan limit of the folder. */
      leftOut: z.int(),
    }),
  ),
  outbox: z.object({ isWritable: z.boolean(), waiting: z.int(), lastWrittenAt: time.nullable() }).nullable(),
});

/** Watched folders and the outbox. `folders.changed` reports changes. */
export const foldersContract = {
  "folders.get": { request: z.strictObject({}), response: state, permission: "administer" },
  /** INVALID_FIELD for a relative path, or one in another watched folder, the outbox or the data directory. */
  "folders.save": { request: folderSettings, response: state, permission: "administer" },
} as const satisfies Channels;

export type FolderSettings = z.infer<typeof folderSettings>;
export type SidecarFormat = (typeof sidecarFormats)[number];
