import { connect } from "node:net";
import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/dicom.ts";
import { serveThread } from "../../../workers/serve-thread.ts";
import { failureOfSocket } from "./refusals.ts";
import { SendingAssociation } from "./sending-association.ts";
import type { SenderCalls, SendJob } from "./sender-calls.ts";

// A thread for each sending: faults of the library or the other side end with it, and cancelling means ending it.

serveThread<SenderCalls>({ send: (job, call) => send(job, (told) => call.progress(told)) });

function send(job: SendJob, progress: (told: SendProgress) => void): Promise<SendFailure | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: job.peer.host, port: job.peer.port });
    const end = (failure: SendFailure | null) => {
      clearTimeout(deadline);
      socket.destroySoon();
      resolve(failure);
    };
    const deadline = setTimeout(() => end({ reason: "no-answer", detail: "" }), job.limits.associationMs);
    socket.once("error", (error: NodeJS.ErrnoException) => end(failureOfSocket(error)));
    socket.once("connect", () => {
      clearTimeout(deadline);
      socket.removeAllListeners("error");
      new SendingAssociation(socket, job, { progress, ended: end }).request();
    });
  });
}
