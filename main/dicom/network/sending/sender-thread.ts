import type { SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import { serveThread } from "../../../workers/serve-thread.ts";
import { endSoon } from "../gated-socket.ts";
import { openSocket } from "../secure-socket.ts";
import { SendingAssociation } from "./sending-association.ts";
import type { SendAnswer, SenderCalls, SendJob } from "./sender-calls.ts";

// A thread for each sending: faults of the library or the other side end with it, and cancelling means ending it.

serveThread<SenderCalls>({
  send: (job, call) => send(job, (told) => call.progress(told)),
});

async function send(job: SendJob, progress: (told: SendProgress) => void): Promise<SendAnswer> {
  const socket = await openSocket(job.peer, job.limits.associationMs);
  if ("reason" in socket) return { failure: socket, leftOut: [] };
  return new Promise((resolve) => {
    const ended = (failure: SendAnswer["failure"], leftOut: SendAnswer["leftOut"]) => {
      endSoon(socket);
      resolve({ failure, leftOut });
    };
    new SendingAssociation(socket, job, { progress, ended }).request();
  });
}
