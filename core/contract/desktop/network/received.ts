import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { download, failure, id, nothing, time } from "../shapes.ts";

/** A received object that cannot be shown. It is kept until a user retries or deletes it. */
const setAsideObject = z.object({
  id,
  receivedAt: time,
  /** AE title of the sender; null if unknown. */
  sender: z.string().nullable(),
  patientName: z.string().nullable(),
  responsiblePerson: z.string().nullable(),
  patientId: z.string().nullable(),
  takenAt: time.nullable(),
  modality: z.string().nullable(),
  failure,
});

const objects = z.array(setAsideObject);
const chosen = z.strictObject({ objectIds: z.array(id).min(1).max(1000) });

/** Received objects that are not on the worklist. `dicom.changed` reports changes. */
export const receivedContract = {
  /** Newest first. */
  "received.list": { request: nothing, response: z.object({ objects }), permission: "look" },
  /** Tries to open objects again; returns the remaining ones and the number added to the worklist. NOT_FOUND */
  "received.retry": { request: chosen, response: z.object({ objects, opened: z.int() }), permission: "prepare" },
  /** Exports the received object as a DICOM file. NOT_FOUND */
  "received.export": {
    request: z.strictObject({ objectId: id }),
    response: z.object({ download }),
    permission: "share",
  },
  /** Permanently deletes objects. NOT_FOUND */
  "received.delete": { request: chosen, response: nothing, permission: "remove" },
} as const satisfies Channels;

export type SetAsideObject = z.infer<typeof setAsideObject>;
