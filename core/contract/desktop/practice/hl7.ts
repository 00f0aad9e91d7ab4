import { z } from "zod";
import { nameOf } from "../../../identifiers.ts";
import type { Channels } from "../../channel.ts";
import { dicomPeer, sendFailure } from "../network/dicom.ts";
import { nothing, time } from "../shapes.ts";

/** Results to send: only those decided by a user, or proposals as well. */
export const hl7Choices = ["decided", "all"] as const;

export const hl7Destination = z.strictObject({
  isOn: z.boolean(),
  host: dicomPeer.shape.host.or(z.literal("")),
  port: dicomPeer.shape.port,
  /** Receiving application and facility (MSH-5, MSH-6); "" if the receiver does not check them. */
  application: nameOf(180),
  facility: nameOf(180),
  results: z.enum(hl7Choices),
  /** `trusted`: certificates in PEM, "" for those the operating system trusts. null without encryption. */
  tls: z.strictObject({ trusted: z.string().trim().max(65_536) }).nullable(),
});

const state = z.object({
  destination: hl7Destination,
  waiting: z.int(),
  /** Number of waiting results that the receiver refused; they wait for a user. */
  refused: z.int(),
  lastSentAt: time.nullable(),
  failure: sendFailure.nullable(),
});

/** Results as ORU^R01 by MLLP. `folders.changed` reports changes. */
export const hl7Contract = {
  "hl7.get": { request: nothing, response: state, permission: "administer" },
  /** INVALID_FIELD if it is on and has no host. */
  "hl7.save": { request: hl7Destination, response: state, permission: "administer" },
  "hl7.test": {
    request: hl7Destination,
    response: z.object({ failure: sendFailure.nullable() }),
    permission: "administer",
  },
  /** Sends all waiting results, refused ones included; responds after the attempt. */
  "hl7.sendNow": { request: nothing, response: state, permission: "administer" },
  "hl7.discardRefused": { request: nothing, response: state, permission: "administer" },
} as const satisfies Channels;

export type Hl7Destination = z.infer<typeof hl7Destination>;
