import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { sendFailure } from "./dicom.ts";
import { id } from "../shapes.ts";

export const uid = z.string().regex(/^[0-9.]{1,64}$/);
export const text = z.string().max(200).nullable();
const words = z.string().trim().max(64);
const day = z.iso.date();

/** Query of a node; absent fields match everything. `*` and `?` are wildcards as in DICOM. */
export const nodeQuery = z.strictObject({
  name: words.optional(),
  patientId: words.optional(),
  accessionNumber: words.optional(),
  from: day.optional(),
  to: day.optional(),
});

export const studyQuery = nodeQuery.extend({
  modality: z
    .string()
    .regex(/^[A-Z0-9]{1,16}$/)
    .optional(),
});

/** A study returned by a PACS; null if not stated. */
const foundStudy = z.object({
  studyInstanceUid: z.string().min(1).max(64),
  patientName: text,
  responsiblePerson: text,
  patientId: text,
  day: text,
  modalities: z.array(z.string().max(16)).max(20),
  description: text,
  accessionNumber: text,
  objects: z.int().nullable(),
});

/** Progress of a retrieval; `objects` is null until the PACS reports the number. */
export type FetchProgress = {
  readonly fetchedObjects: number;
  readonly failedObjects: number;
  readonly objects: number | null;
};

const fetched = z.object({ fetchedObjects: z.int(), failedObjects: z.int(), failure: sendFailure.nullable() });

/** Search of a PACS and retrieval. Results are not stored; retrieved films are added to the worklist. */
export const pacsContract = {
  /** `isCutOff`: more results exist than were returned. NOT_FOUND if the node no longer exists. */
  "pacs.find": {
    request: z.strictObject({ jobId: z.uuid(), nodeId: id, query: studyQuery }),
    response: z.object({ studies: z.array(foundStudy), isCutOff: z.boolean(), failure: sendFailure.nullable() }),
    permission: "prepare",
  },
  /** Retrieves a study or one film of it. Responds once everything has arrived or failed. NOT_FOUND */
  "pacs.fetch": {
    request: z.strictObject({
      jobId: z.uuid(),
      nodeId: id,
      studyInstanceUid: uid,
      film: z.strictObject({ seriesInstanceUid: uid, sopInstanceUid: uid }).optional(),
    }),
    response: fetched,
    permission: "prepare",
    isLong: true,
  },
  /** Radiographs under any of the patient's numbers. `isCutOff`: more may exist. NOT_FOUND, CONFLICT without one. */
  "pacs.fetchPrior": {
    request: z.strictObject({ jobId: z.uuid(), nodeId: id, patientId: id }),
    response: fetched.extend({ studies: z.int(), isCutOff: z.boolean() }),
    permission: "prepare",
    isLong: true,
  },
} as const satisfies Channels;

export type StudyQuery = z.infer<typeof studyQuery>;
export type FoundStudy = z.infer<typeof foundStudy>;
