import { Dataset, requests } from "../dimse.ts";
import type { CommitmentAnswer, CommitmentJob } from "../node-calls.ts";
import { request } from "../requesting-association.ts";
import { statusText } from "../status-text.ts";
import { storageCommitment } from "./storage-commitment.ts";

/** Request Storage Commitment. @see DICOM PS3.4 J.3.2 */
const requestCommitment = 1;
/** Maximum size of a report, which lists UIDs [bytes]. */
const maxReportBytes = 1024 * 1024;

/** Requests storage commitment; the node may report on the same association. */
export async function commit(job: CommitmentJob): Promise<CommitmentAnswer> {
  const { folder, limits, transactionUid, waitMs } = job;
  let reportFile: string | null = null;
  let release = () => {};
  let waiting: NodeJS.Timeout | undefined;
  const failure = await request(
    { ...job, limits: { ...limits, objectBytes: maxReportBytes } },
    {
      role: "committer",
      contexts: [{ uid: storageCommitment.uid }],
      folder,
      isExpected: (report) => report.transactionUid === transactionUid,
      onReceived: (fileName) => {
        reportFile = fileName;
        release();
      },
      begin: () => [commitmentRequest(job)],
      onResponse: (response) => {
        const status = response.getStatus();
        return status === 0 ? null : { reason: "query-refused", detail: statusText(status) };
      },
      onDone: (releaseNow) => {
        // A node may report before it responds.
        if (reportFile !== null) return releaseNow();
        release = releaseNow;
        waiting = setTimeout(release, waitMs);
      },
    },
  );
  clearTimeout(waiting);
  return { reportFile, failure };
}

function commitmentRequest({ transactionUid, objects }: CommitmentJob) {
  const action = new requests.NActionRequest(storageCommitment.uid, storageCommitment.instanceUid, requestCommitment);
  action.setDataset(
    new Dataset({
      TransactionUID: transactionUid,
      ReferencedSOPSequence: objects.map(({ sopClassUid, sopInstanceUid }) => ({
        ReferencedSOPClassUID: sopClassUid,
        ReferencedSOPInstanceUID: sopInstanceUid,
      })),
    }),
  );
  return action;
}
