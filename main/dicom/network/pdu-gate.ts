import { createMessageFragments, GateFault, type AssociationRole } from "./message-fragments.ts";
import type { NetworkLimits } from "./network-limits.ts";
import { withOrderedContexts } from "./ordered-contexts.ts";

/** Types of protocol data units. @see DICOM PS3.8 9.3 */
export const pduTypes = {
  associateRequest: 1,
  associateAccept: 2,
  associateReject: 3,
  data: 4,
  releaseRequest: 5,
  releaseResponse: 6,
  abort: 7,
} as const;

/**
 * Filter between a socket and the DICOM library: passes complete PDUs that the protocol allows in the current state,
 * one message at a time. The library itself checks neither sizes nor order.
 */
export type PduGate = {
  push(chunk: Buffer): void;
  /** Next PDU for the library; null if none is complete or a response is pending. @throws GateFault */
  take(): Buffer | null;
  /** Reports that the library has processed the last message, so that the next one may pass. */
  answered(): void;
  match(): Buffer | null;
  phase(): "connected" | "idle" | "pdu" | "message" | "answering";
};

const headerBytes = 6;
const emptyPduBytes = 4;

export function createPduGate(role: AssociationRole, limits: NetworkLimits): PduGate {
  const fragments = createMessageFragments(role, limits);
  let chunks: Buffer[] = [];
  let heldBytes = 0;
  let isAssociated = false;
  let isAnswerDue = false;

  const peek = (count: number): Buffer | null => {
    if (heldBytes < count) return null;
    if ((chunks[0]?.length ?? 0) < count) chunks = [Buffer.concat(chunks)];
    return chunks[0]?.subarray(0, count) ?? null;
  };
  const cut = (count: number): Buffer => {
    const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    const rest = all.subarray(count);
    chunks = rest.length > 0 ? [rest] : [];
    heldBytes = rest.length;
    return all.subarray(0, count);
  };
  return {
    push(chunk) {
      chunks.push(chunk);
      heldBytes += chunk.length;
    },
    take() {
      const header = isAnswerDue ? null : peek(headerBytes);
      if (!header) return null;
      const type = header.readUInt8(0);
      const length = header.readUInt32BE(2);
      if (!mayFollow(role, isAssociated, type)) throw new GateFault("not-dicom", `an unexpected PDU of type ${type}`);
      if (length > longest(type, limits)) throw new GateFault("too-large", `a PDU of ${length} bytes`);
      if (heldBytes < headerBytes + length) return null;
      const pdu = cut(headerBytes + length);
      if (type === pduTypes.data) fragments.check(pdu);
      isAssociated ||= type === pduTypes.associateRequest || type === pduTypes.associateAccept;
      isAnswerDue = type === pduTypes.data ? fragments.isMessageWhole() : type !== pduTypes.abort;
      return type === pduTypes.associateRequest ? withOrderedContexts(pdu) : pdu;
    },
    answered() {
      isAnswerDue = false;
    },
    match: fragments.match,
    phase() {
      if (isAnswerDue) return "answering";
      if (!isAssociated) return "connected";
      if (heldBytes > 0) return "pdu";
      return fragments.isMessageWhole() ? "idle" : "message";
    },
  };
}

function mayFollow(role: AssociationRole, isAssociated: boolean, type: number): boolean {
  const { associateRequest, associateAccept, associateReject, data, releaseRequest, releaseResponse, abort } = pduTypes;
  if (type === abort) return true;
  if (role === "provider") return isAssociated ? type === data || type === releaseRequest : type === associateRequest;
  return isAssociated
    ? type === data || type === releaseResponse
    : type === associateAccept || type === associateReject;
}

function longest(type: number, limits: NetworkLimits): number {
  if (type === pduTypes.data) return limits.pduBytes;
  return type === pduTypes.associateRequest || type === pduTypes.associateAccept
    ? limits.associationRequestBytes
    : emptyPduBytes;
}
