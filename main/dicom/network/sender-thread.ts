import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { SendFailure } from "../../../core/contract/desktop/dicom.ts";
import { SendingAssociation } from "./sending-association.ts";
import type { SendJob, SendMessage } from "./sender-messages.ts";

// A thread for each sending: what the library or the other side does wrong ends with it, and to cancel is to end it.

const port = parentPort;
if (!port) throw new Error("sender-thread is started as a worker thread");
const job = workerData as SendJob;
const tell = (message: SendMessage) => port.postMessage(message);
const socket = connect({ host: job.peer.host, port: job.peer.port });
const deadline = setTimeout(() => end({ reason: "no-answer", detail: "" }), job.limits.associationMs);

socket.once("error", (error: NodeJS.ErrnoException) =>
  end({
    reason: error.code === "ENOTFOUND" || error.code === "EAI_AGAIN" ? "unknown-host" : "unreachable",
    detail: error.code ?? "",
  }),
);
socket.once("connect", () => {
  clearTimeout(deadline);
  socket.removeAllListeners("error");
  new SendingAssociation(socket, job, {
    progress: (progress) => tell({ kind: "progress", progress }),
    ended: end,
  }).request();
});

function end(failure: SendFailure | null): void {
  clearTimeout(deadline);
  socket.destroySoon();
  tell({ kind: "ended", failure });
  port?.close();
}
