import { mkdirSync } from "node:fs";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";
import type { ServedCall } from "../../../workers/serve-thread.ts";
import { transferSyntaxes } from "../../pixels/coded/transfer-syntaxes.ts";
import { implicitLittleEndian } from "../../transfer-syntaxes.ts";
import { Dataset, requests } from "../dimse.ts";
import type { FetchJob, FindJob } from "../node-calls.ts";
import { isPending, request } from "../requesting-association.ts";
import type { ReachedPeer } from "../secure-socket.ts";
import { storageClasses } from "../storage-classes.ts";
import { studyRoot, type FetchAnswer, type FetchMessage, type FindAnswer, type Match } from "./query-calls.ts";
import { countsOf, faultOf, matchOf } from "./responses.ts";

/** Maximum size of a match, usually a few lines of text [bytes]. */
const maxMatchBytes = 256 * 1024;

export async function find(job: FindJob<ReachedPeer>): Promise<FindAnswer> {
  const { model, maxMatches, limits } = job;
  const matches: Match[] = [];
  // Includes responses without a match, which a peer may send without end.
  let responseCount = 0;
  let refusal: SendFailure | null = null;
  let transferSyntaxUid = implicitLittleEndian;
  const failure = await request(
    { ...job, limits: { ...limits, objectBytes: maxMatchBytes } },
    {
      role: "asker",
      contexts: [{ uid: model }],
      begin: ([syntax]) => {
        transferSyntaxUid = syntax ?? implicitLittleEndian;
        return [findRequest(job)];
      },
      onResponse: (response, dataSet) => {
        refusal = faultOf(response);
        if (!isPending(response)) return null;
        if (++responseCount > maxMatches) return "enough";
        const match = dataSet && matchOf(dataSet, transferSyntaxUid);
        if (match !== null) matches.push(match);
        return null;
      },
    },
  );
  return { matches, isCutOff: responseCount > maxMatches, failure: failure ?? refusal };
}

function findRequest({ model, identifier }: FindJob<ReachedPeer>) {
  if (model === studyRoot.find) return requests.CFindRequest.createStudyFindRequest({ ...identifier });
  const query = new requests.CFindRequest();
  query.setAffectedSopClassUid(model);
  query.setDataset(new Dataset({ ...identifier }));
  return query;
}

/** Retrieves by C-GET on the same association if the peer supports it, else by C-MOVE to our receiver. */
export async function fetch(job: FetchJob<ReachedPeer>, call: ServedCall<FetchMessage>): Promise<FetchAnswer> {
  const { folder, limits } = job;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let progress: FetchProgress = { fetchedObjects: 0, failedObjects: 0, objects: null };
  let refusal: SendFailure | null = null;
  const failure = await request(
    // An archive may send nothing while it moves a study; the idle timeout would cancel the move.
    { ...job, limits: { ...limits, idleMs: limits.messageMs } },
    {
      role: "asker",
      contexts: [
        { uid: studyRoot.get },
        { uid: studyRoot.move },
        ...storageClasses.map(({ uid }) => ({
          uid,
          isProvider: true,
          transferSyntaxes: transferSyntaxes.map((syntax) => syntax.uid),
        })),
      ],
      folder,
      onReceived: (fileName) => call.progress({ kind: "received", fileName }),
      begin: ([get, move]) => {
        const fetchRequest = get ? getRequest(job) : move ? moveRequest(job) : kindRefused;
        return "reason" in fetchRequest ? fetchRequest : [fetchRequest];
      },
      onResponse: (response) => {
        progress = countsOf(response) ?? progress;
        call.progress({ kind: "progress", progress });
        refusal = faultOf(response);
        return null;
      },
    },
  );
  return { ...progress, failure: failure ?? refusal };
}

const kindRefused = { reason: "kind-refused", detail: studyRoot.move } as const;

function getRequest({ identifier }: FetchJob<ReachedPeer>) {
  const { StudyInstanceUID: study = "", SeriesInstanceUID: series = "", SOPInstanceUID: film } = identifier;
  const { CGetRequest } = requests;
  return film ? CGetRequest.createImageGetRequest(study, series, film) : CGetRequest.createStudyGetRequest(study);
}

function moveRequest({ identifier, destinationAeTitle }: FetchJob<ReachedPeer>) {
  const { StudyInstanceUID: study = "", SeriesInstanceUID: series = "", SOPInstanceUID: film } = identifier;
  const { CMoveRequest } = requests;
  if (destinationAeTitle === null) return { reason: "receiver-off", detail: "" } as const;
  return film
    ? CMoveRequest.createImageMoveRequest(destinationAeTitle, study, series, film)
    : CMoveRequest.createStudyMoveRequest(destinationAeTitle, study);
}
