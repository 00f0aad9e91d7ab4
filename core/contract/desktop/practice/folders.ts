import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { time } from "../shapes.ts";

export const sidecarFormats = ["json", "csv", "pdf", "hl7"] as const;

const folderPath = z.string().trim().min(1).max(1000);

export const folderSettings = z.strictObject({
  /** `move`: into `done` or `failed` below the folder; `leave`: nothing is touched. */
  folders: z.array(z.strictObject({ path: folderPath, afterwards: z.enum(["move", "leave"]) })).max(10),
  /** null: no results are written. */
  outbox: folderPath.nullable(),
  formats: z.array(z.enum(sidecarFormats)),
  /** Films opened in another way from then on have results in the outbox, too; null: those of folders alone. */
  allFilmsSince: time.nullable().default(null),
});

const state = z.object({
  settings: folderSettings,
  folders: z.array(
    z.object({
      path: z.string(),
      isReachable: z.boolean(),
      /** Files that are not whole yet, or that another program holds. */
      waiting: z.int(),
      opened: z.int(),
      failed: z.int(),
      /** Older files of a folder beyond the scan limit. */
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
