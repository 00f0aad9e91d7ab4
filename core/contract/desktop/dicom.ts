import { z } from "zod";
import { id, nothing, time } from "./shapes.ts";

/** Name of an application entity: up to 16 printable characters without a backslash. @see DICOM PS3.5 6.2 */
export const aeTitle = z
  .string()
  .trim()
  .regex(/^[ -[\]-~]{1,16}$/);
const port = z.int().min(1).max(65_535);

/** Where the receiver listens: reachable from this computer alone, or from the practice's network. */
export const dicomBinds = ["this-computer", "practice-network"] as const;

/** How objects are received. On the practice's network only named titles at named addresses are admitted. */
export const dicomReceiver = z.object({
  isOn: z.boolean(),
  port,
  aeTitle,
  bind: z.enum(dicomBinds),
  /** Empty on this computer: every title. */
  allowedAeTitles: z.array(aeTitle).max(50),
  /** IPv4 addresses and networks (`192.168.1.0/24`). */
  allowedAddresses: z.array(z.union([z.ipv4(), z.cidrv4()])).max(50),
});

/** Why a receiver does not listen. */
const receiverFaults = ["port-in-use", "not-permitted", "stopped"] as const;

/** The receiver as it is set and as it is. */
const dicomState = z.object({
  receiver: dicomReceiver,
  state: z.enum(["off", "starting", "listening", "failed"]),
  /** null unless `failed`. */
  fault: z.enum(receiverFaults).nullable(),
  /** IPv4 addresses of this computer, for the settings of the other side. */
  ownAddresses: z.array(z.string()),
  refusedAssociations: z.int(),
});

/** Why an association was refused or ended early. */
const associationFaults = [
  "address-not-allowed",
  "calling-ae-not-allowed",
  "called-ae-wrong",
  "too-many-connections",
  "nothing-acceptable",
  "connection-lost",
  "not-dicom",
  "too-large",
  "too-slow",
] as const;

/** One association, or several in a row that were refused in the same way. No patient, no object. */
const associationEntry = z.object({
  /** Of the last one. */
  at: time,
  address: z.string(),
  /** null when the connection ended before it said so. */
  callingAeTitle: z.string().nullable(),
  calledAeTitle: z.string().nullable(),
  storedObjects: z.int(),
  /** Answered with a failure: damaged, or the disk is full. */
  refusedObjects: z.int(),
  echoes: z.int(),
  /** null for an association that ended as it should. */
  fault: z.enum(associationFaults).nullable(),
  associations: z.int().min(1),
});

/** A program to which results are sent. */
export const dicomPeer = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[\w.:-]+$/),
  port,
  aeTitle,
});
export const dicomNode = dicomPeer.extend({ id, name: z.string().trim().min(1).max(60) });

/** Why a node has not taken everything. */
const sendFaults = [
  "unknown-host",
  "unreachable",
  "no-answer",
  "called-ae-refused",
  "calling-ae-refused",
  "association-refused",
  "kind-refused",
  "object-refused",
  "connection-lost",
  "receiver-off",
  "destination-unknown",
  "query-refused",
  "cancelled",
] as const;

/** `detail` is the other side's or the system's own code, "" when there is none. */
export const sendFailure = z.object({ reason: z.enum(sendFaults), detail: z.string() });

/** How far a sending is. */
export const sendProgress = z.object({
  sentBytes: z.int(),
  totalBytes: z.int(),
  sentObjects: z.int(),
  objects: z.int(),
});

/** Receiving objects, and sending results to nodes. A node's refusal is an answer, not a failed call. */
export const dicomContract = {
  "dicom.get": { request: nothing, response: dicomState },
  /** What changes; takes effect at once. */
  "dicom.configure": { request: dicomReceiver.partial().strict(), response: dicomState },
  /** Newest first. */
  "dicom.log": { request: nothing, response: z.object({ entries: z.array(associationEntry) }) },
  "dicom.nodes": { request: nothing, response: z.object({ nodes: z.array(dicomNode) }) },
  /** `nodeId` null adds one. NOT_FOUND when the node is gone. */
  "dicom.saveNode": {
    request: dicomNode.omit({ id: true }).extend({ nodeId: id.nullable() }).strict(),
    response: z.object({ nodes: z.array(dicomNode) }),
  },
  "dicom.deleteNode": { request: z.strictObject({ nodeId: id }), response: z.object({ nodes: z.array(dicomNode) }) },
  /** C-ECHO. */
  "dicom.testNode": { request: dicomPeer.strict(), response: z.object({ failure: sendFailure.nullable() }) },
  /**
   * Sends a film's results; `sendId` is made by the page. Answers once the node has accepted or refused everything.
   * NOT_FOUND, CONFLICT without a reading.
   */
  "dicom.send": {
    request: z.strictObject({ sendId: z.uuid(), filmId: id, nodeId: id }),
    response: z.object({ sentObjects: z.int(), failure: sendFailure.nullable() }),
  },
  "dicom.cancelSend": { request: z.strictObject({ sendId: z.uuid() }), response: nothing },
} as const;

export type DicomReceiver = z.infer<typeof dicomReceiver>;
export type DicomState = z.infer<typeof dicomState>;
export type ReceiverFault = (typeof receiverFaults)[number];
export type AssociationFault = (typeof associationFaults)[number];
export type AssociationEntry = z.infer<typeof associationEntry>;
export type DicomPeer = z.infer<typeof dicomPeer>;
export type DicomNode = z.infer<typeof dicomNode>;
export type SendFailure = z.infer<typeof sendFailure>;
export type SendProgress = z.infer<typeof sendProgress>;
