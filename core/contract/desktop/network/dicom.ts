import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { nameOf } from "../../../identifiers.ts";
import { id, nothing, time } from "../shapes.ts";

/** Name of an application entity: up to 16 printable characters without a backslash. @see DICOM PS3.5 6.2 */
export const aeTitle = z
  .string()
  .trim()
  .regex(/^[ -[\]-~]{1,16}$/);
const port = z.int().min(1).max(65_535);

/** Certificates in PEM; "" for none. */
const pem = z.string().trim().max(65_536);
/** Whether a connection is encrypted. @see DICOM PS3.15 B.9, BCP 195 */
export const securities = ["none", "tls"] as const;

export const dicomBinds = ["this-computer", "practice-network"] as const;

/** Settings of the receiver. On the practice's network only listed titles at listed addresses are admitted. */
export const dicomReceiver = z.object({
  isOn: z.boolean(),
  port,
  aeTitle,
  bind: z.enum(dicomBinds),
  /** On this computer an empty list admits every title. */
  allowedAeTitles: z.array(aeTitle).max(50),
  /** Addresses and networks (`192.168.1.0/24`, `fd00::/8`). */
  allowedAddresses: z.array(z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()])).max(50),
  /** With `tls` Corvet presents its certificate and accepts encrypted connections only. */
  security: z.enum(securities),
  /** Certificates, PEM: clients must present one of these or one signed by them. "" requires none. */
  trustedClients: pem,
});

const receiverFaults = ["port-in-use", "not-permitted", "stopped", "no-certificate"] as const;

const dicomState = z.object({
  receiver: dicomReceiver,
  state: z.enum(["off", "starting", "listening", "failed"]),
  fault: z.enum(receiverFaults).nullable(),
  ownAddresses: z.array(z.string()),
  refusedAssociations: z.int(),
});

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
  "not-secure",
] as const;

/** One association, or several consecutive ones refused for the same reason. Contains no patient and no object. */
const associationEntry = z.object({
  /** Time of the last of them. */
  at: time,
  address: z.string(),
  /** null if the connection ended before the association request. */
  callingAeTitle: z.string().nullable(),
  calledAeTitle: z.string().nullable(),
  storedObjects: z.int(),
  /** Objects rejected with a failure status: damaged, or the disk is full. */
  refusedObjects: z.int(),
  echoes: z.int(),
  fault: z.enum(associationFaults).nullable(),
  associations: z.int().min(1),
});

const tls = z.object({
  /** Trusted certificates in PEM: the node's own or that of its issuer; "" for those the operating system trusts. */
  trusted: pem,
  withOwnCertificate: z.boolean(),
});

/** A node that uses the DICOM protocol (DIMSE). Without `tls` nothing is encrypted. */
export const dicomPeer = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[\w.:-]+$/),
  port,
  aeTitle,
  tls: tls.optional(),
});

export const webSignIns = ["none", "basic", "bearer", "certificate"] as const;

export const webPeer = z.object({
  /** Base address of `studies`: `https://pacs.local/dicom-web`. */
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    // Excludes passwords, queries and fragments.
    .regex(/^[^@?#]*$/),
  signIn: z.enum(webSignIns),
  /** For `basic` only. */
  user: z
    .string()
    .max(200)
    .regex(/^[^:\p{Cc}]*$/u),
  trusted: pem,
});

const named = { id, name: nameOf(60).min(1) };
const dimseNode = dicomPeer.extend({
  kind: z.literal("dimse").default("dimse"),
  ...named,
  asksCommitment: z.boolean().optional(),
  offersWorklist: z.boolean().optional(),
});
const webNode = webPeer.extend({ kind: z.literal("web"), ...named, hasSecret: z.boolean() });

export const dicomNode = z.union([webNode, dimseNode]);

const ownCertificate = z.object({
  subject: z.string(),
  until: time,
  fingerprint: z.string(),
  pem: z.string(),
});

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
  "certificate-doubted",
  "tls-refused",
  "own-certificate-missing",
  "secret-missing",
  "sign-in-refused",
  "redirected",
  "not-dicomweb",
  "too-large",
  "web-refused",
  "message-error",
  "message-refused",
  "not-hl7",
  "cancelled",
] as const;

/** `detail` is the error code of the other side or the operating system, "" without one. */
export const sendFailure = z.object({ reason: z.enum(sendFaults), detail: z.string() });

export type SendProgress = {
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly sentObjects: number;
  readonly objects: number;
};

/** `asked` before the node has responded; `refused` if it does not support storage commitment. */
export const commitmentStates = ["asked", "kept", "partly", "refused"] as const;

const sending = z.object({
  id,
  node: z.string(),
  at: time,
  objects: z.int(),
  /** null if commitment is not requested from the node. */
  commitment: z
    .object({
      state: z.enum(commitmentStates),
      at: time.nullable(),
      notKept: z.int(),
      failure: sendFailure.nullable(),
    })
    .nullable(),
});

const dicomNodes = z.object({ nodes: z.array(dicomNode) });
const presented = z.object({ certificate: ownCertificate.nullable() });
const sendings = z.object({ sendings: z.array(sending) });

/** Receiving objects, and sending results to nodes. A refusal by a node is a result, not a failed call. */
export const dicomContract = {
  "dicom.get": { request: nothing, response: dicomState, permission: "look" },
  /** Contains changed fields only; takes effect immediately. */
  "dicom.configure": { request: dicomReceiver.partial().strict(), response: dicomState, permission: "administer" },
  /** Newest first. */
  "dicom.log": {
    request: nothing,
    response: z.object({ entries: z.array(associationEntry) }),
    permission: "administer",
  },
  "dicom.nodes": { request: nothing, response: dicomNodes, permission: "look" },
  /** `nodeId` null adds a node; an absent `secret` is kept. NOT_FOUND, INVALID_FIELD for an unencrypted secret. */
  "dicom.saveNode": {
    request: z.union([
      webNode
        .omit({ id: true, hasSecret: true })
        .extend({ nodeId: id.nullable(), secret: z.string().min(1).max(8192).optional() })
        .strict(),
      dimseNode.omit({ id: true }).extend({ nodeId: id.nullable() }).strict(),
    ]),
    response: dicomNodes,
    permission: "administer",
  },
  "dicom.deleteNode": { request: z.strictObject({ nodeId: id }), response: nothing, permission: "administer" },
  /** Tests a node by C-ECHO, or by an empty search for a web node. NOT_FOUND */
  "dicom.testNode": {
    request: z.strictObject({ nodeId: id }),
    response: z.object({ failure: sendFailure.nullable() }),
    permission: "administer",
  },
  /** Certificate presented to nodes and senders; null before the first one. */
  "dicom.certificate": { request: nothing, response: presented, permission: "look" },
  /** `pem`: certificates, Corvet's own first, and their key; null creates a pair. */
  "dicom.saveCertificate": {
    request: z.strictObject({ pem: pem.min(1).nullable() }),
    response: presented,
    permission: "administer",
  },
  /** Responds once the node has accepted or refused everything. NOT_FOUND, CONFLICT without a reading. */
  "dicom.send": {
    request: z.strictObject({ sendId: z.uuid(), filmId: id, nodeId: id }),
    response: z.object({ sentObjects: z.int(), failure: sendFailure.nullable() }),
    permission: "share",
    isLong: true,
  },
  /** Transmissions of a film's results, latest first. `dicom.changed` reports responses of nodes. */
  "dicom.sendings": { request: z.strictObject({ filmId: id }), response: sendings, permission: "look" },
  /** Requests storage commitment again. NOT_FOUND, CONFLICT if everything is kept or the node has become a web node. */
  "dicom.askAgain": { request: z.strictObject({ filmId: id, sendingId: id }), response: nothing, permission: "share" },
} as const satisfies Channels;

export type DicomReceiver = z.infer<typeof dicomReceiver>;
export type DicomState = z.infer<typeof dicomState>;
export type ReceiverFault = (typeof receiverFaults)[number];
export type AssociationFault = (typeof associationFaults)[number];
export type AssociationEntry = z.infer<typeof associationEntry>;
export type DicomNode = z.infer<typeof dicomNode>;
export type OwnCertificate = z.infer<typeof ownCertificate>;
export type Sending = z.infer<typeof sending>;
export type SendFailure = z.infer<typeof sendFailure>;
