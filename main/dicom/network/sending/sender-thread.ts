import type { SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import { serveThread } from "../../../workers/serve-thread.ts";
import { overSocket } from "../gated-socket.ts";
import { SendingAssociation } from "./sending-association.ts";
import type { SendAnswer, SenderCalls, SendJob } from "./sender-calls.ts";

// Each job has its own thread: errors of the library or the peer end with it, and cancelling terminates it.

serveThread<SenderCalls>({
  send: (job, call) => send(job, (progress) => call.progress(progress)),
});

async function send(job: SendJob, progress: (progress: SendProgress) => void): Promise<SendAnswer> {
  const answer = await overSocket<SendAnswer>(job.peer, job.limits, (socket, ended) =>
    new SendingAssociation(socket, job, {
      progress,
      ended: (failure, leftOut) => ended({ failure, leftOut }),
    }).request(),
  );
  return "reason" in answer ? { failure: answer, leftOut: [] } : answer;
}
