import { randomUUID } from "node:crypto";
import type { SendFailure, SendProgress } from "../../../core/contract/desktop/network/dicom.ts";
import type { DesktopParsedRequest } from "../../../core/contract/desktop.ts";
import { sendTo, testNode } from "../../dicom/network/nodes.ts";
import { getSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { Commitments } from "./commitments.ts";
import { getNode, receiverSetting } from "./dicom-settings.ts";
import { nodeWithSecrets } from "./node-with-secrets.ts";
import { recordSent } from "../results/exported-films.ts";
import { makeResultObjects } from "../results/result-objects.ts";
import type { RunningJobs } from "../desktop/running-jobs.ts";

export type DicomSend = ReturnType<typeof createDicomSend>;

type Batches = {
  readonly sendId: string;
  readonly nodeId: string;
  readonly batches: AsyncIterable<readonly Uint8Array[]>;
};

export function createDicomSend(context: DesktopContext, commitments: Pick<Commitments, "note">, { run }: RunningJobs) {
  const ownTitle = async () => (await getSetting(context.db, receiverSetting)).aeTitle;

  const publishProgress = (sendId: string, progress: SendProgress) =>
    context.publish({ name: "dicom.sending", payload: { sendId, progress } });
  const warn = ({ reason, detail }: SendFailure) => context.log.warn({ reason, detail }, "results were not sent");

  const sendNow = async (sendId: string, filmId: string, nodeId: string, signal: AbortSignal) => {
    const node = await getNode(context.db, nodeId);
    const reached = await nodeWithSecrets(context, node);
    if ("reason" in reached) return { sentObjects: 0, failure: reached };
    const objects = await makeResultObjects(context, filmId);
    let [sentObjects, sentBytes] = [0, 0];
    const onProgress = (progress: SendProgress) => {
      ({ sentObjects, sentBytes } = progress);
      publishProgress(sendId, progress);
    };
    const files = objects.map(({ bytes }) => bytes);
    const { failure, leftOut } = await sendTo(reached, files, { aeTitle: await ownTitle(), signal, onProgress });
    if (failure) {
      warn(failure);
      // The node may have stored some of the objects.
      if (sentBytes > 0) await recordSent(context, filmId, { to: node.name });
      return { sentObjects, failure };
    }
    const taken = objects.filter(({ sopInstanceUid }) => !leftOut.includes(sopInstanceUid));
    await commitments.note(filmId, node, taken);
    return { sentObjects: taken.length, failure };
  };

  const sendInTurn = async ({ sendId, nodeId, batches }: Batches, signal: AbortSignal) => {
    let [sentObjects, sentBytes, sentBatches] = [0, 0, 0];
    const reached = await nodeWithSecrets(context, await getNode(context.db, nodeId));
    if ("reason" in reached) return { sentObjects, sentBatches, failure: reached };
    for await (const files of batches) {
      const before = sentObjects;
      const onProgress = (progress: SendProgress) => {
        sentObjects = before + progress.sentObjects;
      };
      const { failure, leftOut } = await sendTo(reached, files, { aeTitle: await ownTitle(), signal, onProgress });
      if (failure) return (warn(failure), { sentObjects, sentBatches, failure });
      sentObjects = before + files.length - leftOut.length;
      sentBatches += 1;
      sentBytes += files.reduce((sum, { length }) => sum + length, 0);
      publishProgress(sendId, { sentBytes, totalBytes: sentBytes, sentObjects, objects: sentObjects });
    }
    return { sentObjects, sentBatches, failure: null };
  };

  return {
    /**
     * Sends a film's results and publishes progress.
     *
     * @throws AppError NOT_FOUND for a missing film or node, CONFLICT if the film has no reading or a sending with this
     *   id is in progress
     */
    send: ({ sendId, filmId, nodeId }: DesktopParsedRequest<"dicom.send">) =>
      run(sendId, (signal) => sendNow(sendId, filmId, nodeId, signal)),
    /**
     * Sends batches, each over a separate association, until one is rejected.
     *
     * @returns `sentBatches`: batches accepted, ignoring objects of unsupported classes
     * @throws AppError NOT_FOUND for a missing node, CONFLICT if a sending with this id is in progress, and errors of
     *   the iterator
     */
    sendBatches: (request: Batches) => run(request.sendId, (signal) => sendInTurn(request, signal)),
    /** Sends C-ECHO, or an empty query. @throws AppError NOT_FOUND */
    test: (nodeId: string) =>
      run(randomUUID(), async (signal) => {
        const reached = await nodeWithSecrets(context, await getNode(context.db, nodeId));
        if ("reason" in reached) return { failure: reached };
        return { failure: await testNode(reached, { aeTitle: await ownTitle(), signal }) };
      }),
  };
}
