import { acknowledgementOf } from "../../../../core/hl7/acknowledgement.ts";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { Hl7Destination } from "../../../../core/contract/desktop/practice/hl7.ts";
import { openSocket } from "../../../dicom/network/secure-socket.ts";

/** MLLP framing bytes. @see HL7 v2.5.1 implementation guide, MLLP release 1 */
const [start, end, ending] = [0x0b, 0x1c, Buffer.from([0x1c, 0x0d])] as const;

/** Far above the length of an acknowledgement [bytes]. */
const maxAnswerBytes = 256 * 1024;

export type MllpTimes = { readonly connectMs: number; readonly answerMs: number };

type Peer = Pick<Hl7Destination, "host" | "port" | "tls">;

export async function testMllp(peer: Peer, { connectMs }: MllpTimes): Promise<SendFailure | null> {
  const socket = await openSocket(reached(peer), connectMs);
  if ("reason" in socket) return socket;
  socket.destroy();
  return null;
}

/**
 * Sends one message and awaits its acknowledgement.
 *
 * @param controlId  MSH-10 of the message
 * @returns          null if accepted; `message-refused` is permanent, other failures may be retried
 */
export async function sendMllp(
  peer: Peer,
  message: string,
  { controlId, signal, times }: { readonly controlId: string; readonly signal: AbortSignal; readonly times: MllpTimes },
): Promise<SendFailure | null> {
  if (signal.aborted) return { reason: "cancelled", detail: "" };
  const socket = await openSocket(reached(peer), times.connectMs);
  if ("reason" in socket) return socket;
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    const finish = (outcome: SendFailure | null) => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", cancel);
      socket.removeAllListeners("close");
      socket.destroy();
      resolve(outcome);
    };
    const cancel = () => finish({ reason: "cancelled", detail: "" });
    const deadline = setTimeout(() => finish({ reason: "no-answer", detail: "" }), times.answerMs);
    signal.addEventListener("abort", cancel, { once: true });
    socket.once("close", () => finish({ reason: "connection-lost", detail: "" }));
    socket.on("data", (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const at = answer.indexOf(end);
      if (at >= 0) finish(outcomeOf(answer.subarray(0, at).toString("utf8"), controlId));
      else if (answer.length > maxAnswerBytes || answer[0] !== start) finish({ reason: "not-hl7", detail: "" });
    });
    socket.write(Buffer.concat([Buffer.from([start]), Buffer.from(message), ending]));
  });
}

function outcomeOf(text: string, controlId: string): SendFailure | null {
  const acknowledgement = acknowledgementOf(text, controlId);
  if (acknowledgement === null) return { reason: "not-hl7", detail: "" };
  const { outcome, said } = acknowledgement;
  if (outcome === "taken") return null;
  return { reason: outcome === "refused" ? "message-refused" : "message-error", detail: said };
}

function reached({ host, port, tls }: Peer) {
  return { host, port, encryption: tls && { trusted: tls.trusted, own: null } };
}
