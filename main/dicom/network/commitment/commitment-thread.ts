import { serveThread } from "../../../workers/serve-thread.ts";
import { overSocket } from "../gated-socket.ts";
import { CommitmentAssociation } from "./commitment-association.ts";
import type { CommitmentAnswer, CommitmentCalls, CommitmentJob } from "./commitment-calls.ts";

// Each request has its own thread: errors of the library or the peer end with it, and cancelling terminates it.

serveThread<CommitmentCalls>({ commit });

async function commit(job: CommitmentJob): Promise<CommitmentAnswer> {
  const answer = await overSocket<CommitmentAnswer>(job.peer, job.limits, (socket, ended) =>
    new CommitmentAssociation(socket, job, ended).request(),
  );
  return "reason" in answer ? { reportFile: null, failure: answer } : answer;
}
