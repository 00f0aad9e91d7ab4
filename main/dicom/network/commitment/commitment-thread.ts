import { serveThread } from "../../../workers/serve-thread.ts";
import { endSoon } from "../gated-socket.ts";
import { openSocket } from "../secure-socket.ts";
import { CommitmentAssociation } from "./commitment-association.ts";
import type { CommitmentAnswer, CommitmentCalls, CommitmentJob } from "./commitment-calls.ts";

// A thread for each request: faults of the library or the other side end with it, and cancelling means ending it.

serveThread<CommitmentCalls>({ commit });

async function commit(job: CommitmentJob): Promise<CommitmentAnswer> {
  const socket = await openSocket(job.peer, job.limits.associationMs);
  if ("reason" in socket) return { reportFile: null, failure: socket };
  return new Promise((resolve) => {
    const ended = (answer: CommitmentAnswer) => {
      endSoon(socket);
      resolve(answer);
    };
    new CommitmentAssociation(socket, job, ended).request();
  });
}
