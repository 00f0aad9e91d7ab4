import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { aeTitle, sendFailure } from "./dicom.ts";
import { nodeQuery, text, uid } from "./pacs.ts";
import { patient, speciesNames } from "../patients.ts";
import { id, nothing } from "../shapes.ts";

const orderQuery = nodeQuery.extend({ station: aeTitle.optional() });

/** An examination ordered by practice software; null if the order does not state it. */
export const order = z.strictObject({
  studyInstanceUid: uid,
  accessionNumber: text,
  procedureId: text,
  procedure: text,
  stepId: text,
  step: text,
  station: text,
  modality: text,
  day: z.iso.date().nullable(),
  time: z
    .string()
    .regex(/^\d\d:\d\d$/)
    .nullable(),
  referrer: text,
  patient: z.strictObject({
    number: z.string().min(1).max(64),
    issuer: text,
    /** Name as in the order, `Sommer^Luna`, in all scripts; results contain the same. */
    fullName: z.string().max(200),
    name: z.string().max(200),
    owner: z.string().max(200),
    species: z.enum([...speciesNames, "other"]).nullable(),
    breed: z.string().max(200),
    sex: z.enum(["male", "female"]).nullable(),
    isNeutered: z.boolean().nullable(),
    birthDate: z.iso.date().nullable(),
  }),
});

const nextOrder = z.object({ order, patient });

/** Examinations ordered in practice software, found on a modality worklist and imported with their patient. */
export const ordersContract = {
  /** `isCutOff`: more results exist than were returned. NOT_FOUND if the node no longer exists. */
  "orders.find": {
    request: z.strictObject({ jobId: z.uuid(), nodeId: id, query: orderQuery }),
    response: z.object({ orders: z.array(order), isCutOff: z.boolean(), failure: sendFailure.nullable() }),
    permission: "prepare",
  },
  /** Assigns the order to the next picture that is opened. INVALID_FIELD for neither dog nor cat. */
  "orders.take": { request: z.strictObject({ order }), response: nextOrder, permission: "prepare" },
  "orders.next": {
    request: nothing,
    response: z.object({ next: nextOrder.nullable() }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Unassigns the order from the next picture; its patient remains. */
  "orders.putBack": { request: nothing, response: nothing, permission: "prepare" },
} as const satisfies Channels;

export type OrderQuery = z.infer<typeof orderQuery>;
export type Order = z.infer<typeof order>;
export type NextOrder = z.infer<typeof nextOrder>;
