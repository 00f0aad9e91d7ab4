import { AppError } from "../../../core/app-error.ts";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import { sendCommitmentRequest } from "../../dicom/network/nodes.ts";
import type { CommitmentReport, ReferredObject } from "../../dicom/network/commitment/storage-commitment.ts";
import { getSetting } from "../../store/settings.ts";
import { receivedDir } from "../../store/files/store-files.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getNode, receiverSetting } from "./dicom-settings.ts";
import { nodeWithSecrets } from "./node-with-secrets.ts";
import { getSending, noteRefusal, noteReport, recordSending, openCommitment } from "./sendings.ts";

export type Commitments = ReturnType<typeof createCommitments>;

/** If the report may also arrive over another association, and if not [ms]. */
const [briefWaitMs, longWaitMs] = [3000, 30_000] as const;

/**
 * @param isListening  whether nodes can connect to this program later
 * @param takeFile     imports a report file from the receiving folder
 */
export function createCommitments(
  context: DesktopContext,
  isListening: () => boolean,
  takeFile: (fileName: string) => Promise<void>,
) {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const changed = () => context.raise({ name: "dicom.changed", payload: {} });

  const requestCommitment = async (filmId: string, sendingId: string): Promise<void> => {
    const sending = await getSending(context.db, filmId, sendingId);
    const node = await getNode(context.db, sending.nodeId);
    // Storage commitment is not part of DICOMweb, and a request would replace the earlier report.
    if (node.kind === "web") throw new AppError("CONFLICT");
    const reached = await nodeWithSecrets(context, node);
    const transactionUid = await openCommitment(context, filmId, sendingId);
    changed();
    const peer = "reason" in reached || reached.kind === "web" ? null : reached;
    const { reportFile, failure } = peer
      ? await sendCommitmentRequest(peer, sending.objects, {
          aeTitle: (await getSetting(context.db, receiverSetting)).aeTitle,
          transactionUid,
          folder: receivedDir(context.dataDir),
          waitMs: isListening() ? briefWaitMs : longWaitMs,
          signal: closing.signal,
        })
      : { reportFile: null, failure: "reason" in reached ? reached : null };
    if (reportFile !== null) await takeFile(reportFile);
    // A request cancelled at shutdown may have reached the node, so its report is still expected.
    if (failure && failure.reason !== "cancelled") {
      await noteRefusal(context, filmId, sendingId, failure);
      context.log.warn({ reason: failure.reason, detail: failure.detail }, "a storage commitment request failed");
    }
    changed();
  };
  const inBackground = (work: Promise<void>) => {
    const ended = work
      .catch((error: unknown) => context.log.error({ error }, "storage commitment could not be requested"))
      .finally(() => running.delete(ended));
    running.add(ended);
  };
  return {
    /** Requests commitment in the background if the node is configured for it. */
    async note(filmId: string, node: DicomNode, objects: readonly ReferredObject[]) {
      const sending = await recordSending(context, filmId, { node, objects });
      changed();
      if (node.kind === "dimse" && node.asksCommitment) inBackground(requestCommitment(filmId, sending.id));
    },
    /** The report came over the requesting association or another one. */
    async processReport(report: CommitmentReport) {
      const filmId = await noteReport(context, report);
      if (filmId === null) context.log.warn({}, "a storage commitment report matches no request");
      else changed();
    },
    /** @throws AppError NOT_FOUND, CONFLICT if all objects are committed or the node is now a DICOMweb server */
    async askAgain(filmId: string, sendingId: string) {
      if ((await getSending(context.db, filmId, sendingId)).commitment?.state === "kept")
        throw new AppError("CONFLICT");
      await requestCommitment(filmId, sendingId);
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...running]);
    },
  };
}
