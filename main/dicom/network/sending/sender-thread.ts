import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import { serveThread } from "../../../workers/serve-thread.ts";
import { openSocket } from "../secure-socket.ts";
import { SendingAssociation } from "./sending-association.ts";
import type { SenderCalls, SendJob } from "./sender-calls.ts";

// A thread for each sending: faults of the library or the other side end with it, and cancelling means ending it.

serveThread<SenderCalls>({
  send: async (job, call) => ({ failure: await send(job, (told) => call.progress(told)) }),
});

async function send(job: SendJob, progress: (told: SendProgress) => void): Promise<SendFailure | null> {
  const socket = await openSocket(job.peer, job.limits.associationMs);
  if ("reason" in socket) return socket;
  return new Promise((resolve) => {
    const ended = (failure: SendFailure | null) => {
      socket.destroySoon();
      resolve(failure);
    };
    new SendingAssociation(socket, job, { progress, ended }).request();
  });
}
