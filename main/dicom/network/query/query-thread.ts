import { mkdirSync } from "node:fs";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";
import { serveThread, type ServedCall } from "../../../workers/serve-thread.ts";
import { transferSyntaxes } from "../../pixels/coded/transfer-syntaxes.ts";
import { Dataset, requests } from "../dimse.ts";
import { storageClasses } from "../storage-classes.ts";
import { overSocket } from "../gated-socket.ts";
import { countsOf, faultOf, matchOf } from "./responses.ts";
import { isPending, QueryAssociation, type QueryPlan } from "./query-association.ts";
import {
  studyRoot,
  type FetchAnswer,
  type FetchJob,
  type FetchMessage,
  type FindAnswer,
  type FindJob,
  type Match,
  type QueryCalls,
  type WorklistIdentifier,
} from "./query-calls.ts";

// Each query has its own thread: errors of the library or the peer end with it, and cancelling terminates it.

serveThread<QueryCalls>({ find, fetch: (job, call) => fetch(job, call) });

async function find({ peer, aeTitle, limits, model, identifier, maxMatches }: FindJob): Promise<FindAnswer> {
  const matches: Match[] = [];
  // Includes responses without a match, which a peer may send without end.
  let responseCount = 0;
  let refusal: SendFailure | null = null;
  const failure = await perform({
    peer,
    aeTitle,
    limits,
    folder: "",
    contexts: [{ uid: model }],
    requestFor: (accepted) =>
      accepted.has(model) ? findRequest(model, identifier) : { reason: "kind-refused", detail: model },
    onResponse: (response, encoded) => {
      refusal = faultOf(response);
      if (!isPending(response)) return true;
      if (++responseCount > maxMatches) return false;
      const match = encoded && matchOf(encoded);
      if (match !== null) matches.push(match);
      return true;
    },
    received: () => undefined,
  });
  return { matches, isCutOff: responseCount > maxMatches, failure: failure ?? refusal };
}

function findRequest(model: FindJob["model"], identifier: WorklistIdentifier) {
  if (model === studyRoot.find) return requests.CFindRequest.createStudyFindRequest({ ...identifier });
  const request = new requests.CFindRequest();
  request.setAffectedSopClassUid(model);
  request.setDataset(new Dataset({ ...identifier }));
  return request;
}

async function fetch(job: FetchJob, call: ServedCall<FetchMessage>): Promise<FetchAnswer> {
  mkdirSync(job.folder, { recursive: true, mode: 0o700 });
  let progress: FetchProgress = { fetchedObjects: 0, failedObjects: 0, objects: null };
  let refusal: SendFailure | null = null;
  const failure = await perform({
    ...job,
    contexts: [
      { uid: studyRoot.get },
      { uid: studyRoot.move },
      ...storageClasses.map(({ uid }) => ({
        uid,
        isProvider: true,
        transferSyntaxes: transferSyntaxes.map((syntax) => syntax.uid),
      })),
    ],
    requestFor: (accepted) => requestFor(job, accepted),
    onResponse: (response) => {
      progress = countsOf(response) ?? progress;
      call.progress({ kind: "progress", progress });
      refusal = faultOf(response);
      return true;
    },
    received: (fileName) => call.progress({ kind: "received", fileName }),
  });
  return { ...progress, failure: failure ?? refusal };
}

function requestFor({ identifier, destinationAeTitle }: FetchJob, accepted: ReadonlySet<string>) {
  const { StudyInstanceUID: study = "", SeriesInstanceUID: series = "", SOPInstanceUID: film } = identifier;
  const { CGetRequest, CMoveRequest } = requests;
  if (accepted.has(studyRoot.get))
    return film ? CGetRequest.createImageGetRequest(study, series, film) : CGetRequest.createStudyGetRequest(study);
  if (!accepted.has(studyRoot.move)) return { reason: "kind-refused", detail: studyRoot.move } as const;
  if (destinationAeTitle === null) return { reason: "receiver-off", detail: "" } as const;
  return film
    ? CMoveRequest.createImageMoveRequest(destinationAeTitle, study, series, film)
    : CMoveRequest.createStudyMoveRequest(destinationAeTitle, study);
}

function perform(plan: Omit<QueryPlan, "ended">): Promise<SendFailure | null> {
  return overSocket<SendFailure | null>(plan.peer, plan.limits, (socket, ended) =>
    new QueryAssociation(socket, { ...plan, ended }).request(),
  );
}
