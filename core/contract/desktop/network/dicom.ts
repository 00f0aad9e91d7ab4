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

/** Certificates as text; "" for none. */
const pem = z.string().trim().max(65_536);
/** Whether a connection is encrypted. @see DICOM PS3.15 B.9, BCP 195 */
export const securities = ["none", "tls"] as const;

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
  /** null unless `failed`. */
  fault: z.enum(receiverFaults).nullable(),
  /** Addresses of this computer, for the settings of the other side. */
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

/** One association, or several in a row that were refused in the same way. No patient, no object. */
const associationEntry = z.object({
  /** Of the last one. */
  at: time,
  address: z.string(),
  /** null if the connection ended before the association request. */
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

const tls = z.object({
  /** Whom to trust, PEM: the node's own certificate or that of who signed it; "" trusts those the system trusts. */
  trusted: pem,
  /** Whether our own certificate is shown. */
  withOwnCertificate: z.boolean(),
});

/** A program that speaks DICOM's own protocol. Without `tls` nothing is encrypted. */
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
    // No password in an address, and nothing behind the path.
    .regex(/^[^@?#]*$/),
  signIn: z.enum(webSignIns),
  /** Of `basic`. */
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
  /** Storage commitment is requested for what was sent. */
  asksCommitment: z.boolean().optional(),
  /** It answers questions for ordered examinations (modality worklist). */
  offersWorklist: z.boolean().optional(),
});
const webNode = webPeer.extend({ kind: z.literal("web"), ...named, hasSecret: z.boolean() });

export const dicomNode = z.union([webNode, dimseNode]);

const ownCertificate = z.object({
  subject: z.string(),
  until: time,
  /** SHA-256 of the certificate, for comparing. */
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

/** `detail` is the other side's or the system's own code, "" when there is none. */
export const sendFailure = z.object({ reason: z.enum(sendFaults), detail: z.string() });

export const sendProgress = z.object({
  sentBytes: z.int(),
  totalBytes: z.int(),
  sentObjects: z.int(),
  objects: z.int(),
});

/**
 * Answer of a node to storage commitment: `asked` without an answer yet, `kept`, `partly`, `refused` if it does not
 * support it.
 */
export const commitmentStates = ["asked", "kept", "partly", "refused"] as const;

const sending = z.object({
  id,
  node: z.string(),
  at: time,
  objects: z.int(),
  /** null where the node is not asked. */
  commitment: z
    .object({
      state: z.enum(commitmentStates),
      /** When it answered; null for `asked`. */
      at: time.nullable(),
      notKept: z.int(),
      /** Why it was not asked; null otherwise. */
      failure: sendFailure.nullable(),
    })
    .nullable(),
});

const dicomNodes = z.object({ nodes: z.array(dicomNode) });
const presented = z.object({ certificate: ownCertificate.nullable() });
const sendings = z.object({ sendings: z.array(sending) });

/** Receiving objects, and sending results to nodes. A node's refusal is an answer, not a failed call. */
export const dicomContract = {
  "dicom.get": { request: nothing, response: dicomState, permission: "look" },
  /** What changes; takes effect at once. */
  "dicom.configure": { request: dicomReceiver.partial().strict(), response: dicomState, permission: "administer" },
  /** Newest first. */
  "dicom.log": {
    request: nothing,
    response: z.object({ entries: z.array(associationEntry) }),
    permission: "administer",
  },
  "dicom.nodes": { request: nothing, response: dicomNodes, permission: "look" },
  /**
   * `nodeId` null adds a node. `secret`: a new password or token; absent keeps the present one. NOT_FOUND if the node
   * no longer exists, INVALID_FIELD for a password or token over an unencrypted connection.
   */
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
    isCoalesced: true,
  },
  "dicom.deleteNode": { request: z.strictObject({ nodeId: id }), response: dicomNodes, permission: "administer" },
  /** C-ECHO, or an empty search. NOT_FOUND */
  "dicom.testNode": {
    request: z.strictObject({ nodeId: id }),
    response: z.object({ failure: sendFailure.nullable() }),
    permission: "administer",
  },
  /** Certificate presented to nodes and senders; null before the first one. */
  "dicom.certificate": { request: nothing, response: presented, permission: "look" },
  /**
   * `pem` holds certificates, our own first, and their key; null makes a new pair. `pkcs12`: such a file (base64) with
   * its passphrase, which is not kept. INVALID_FIELD
   */
  "dicom.saveCertificate": {
    request: z.union([
      z.strictObject({ pem: pem.min(1).nullable() }),
      z.strictObject({ pkcs12: z.base64().min(1).max(400_000), passphrase: z.string().max(1000) }),
    ]),
    response: presented,
    permission: "administer",
  },
  /**
   * Sends a film's results; `sendId` is made by the page. Answers once the node has accepted or refused everything.
   * NOT_FOUND, CONFLICT without a reading.
   */
  "dicom.send": {
    request: z.strictObject({ sendId: z.uuid(), filmId: id, nodeId: id }),
    response: z.object({ sentObjects: z.int(), failure: sendFailure.nullable() }),
    permission: "share",
    isLong: true,
  },
  /** Destinations of a film's results, the latest first. `dicom.changed` reports a node's answer. */
  "dicom.sendings": { request: z.strictObject({ filmId: id }), response: sendings, permission: "look" },
  /** Requests storage commitment again. NOT_FOUND, CONFLICT if everything is kept or the node is a web server now. */
  "dicom.askAgain": { request: z.strictObject({ filmId: id, sendingId: id }), response: sendings, permission: "share" },
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
export type SendProgress = z.infer<typeof sendProgress>;
