import { AppError } from "../../../core/app-error.ts";
import type { SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import { sendTo, testNode } from "../../dicom/network/nodes.ts";
import { getSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { Commitments } from "./commitments.ts";
import { getNode, receiverSetting } from "./dicom-settings.ts";
import { reachedNode } from "./reached-node.ts";
import { makeResultObjects } from "../results/result-objects.ts";

/** Sends results to nodes. */
export type DicomSend = {
  /**
   * Sends a film's results to a node and tells the page how far it is.
   *
   * @throws AppError NOT_FOUND for a film or a node that is gone, CONFLICT for a film without a reading or a sending
   * that runs already
   */
  send(request: {
    readonly sendId: string;
    readonly filmId: string;
    readonly nodeId: string;
  }): Promise<{ readonly sentObjects: number; readonly failure: SendFailure | null }>;
  /** Stops a sending; stopping one that has ended is not an error. */
  cancel(sendId: string): void;
  /** C-ECHO, or a search for nothing. @throws AppError NOT_FOUND */
  test(nodeId: string): Promise<{ readonly failure: SendFailure | null }>;
  close(): Promise<void>;
};

export function createDicomSend(context: DesktopContext, commitments: Pick<Commitments, "note">): DicomSend {
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<unknown> }>();
  const closing = new AbortController();
  const ownTitle = async () => (await getSetting(context.db, receiverSetting)).aeTitle;

  const sendNow = async (sendId: string, filmId: string, nodeId: string, signal: AbortSignal) => {
    const node = await getNode(context.db, nodeId);
    const reached = await reachedNode(context, node);
    if ("reason" in reached) return { sentObjects: 0, failure: reached };
    const objects = await makeResultObjects(context, filmId);
    let sentObjects = 0;
    const failure = await sendTo(
      reached,
      objects.map(({ bytes }) => bytes),
      {
        aeTitle: await ownTitle(),
        signal,
        onProgress: (progress) => {
          sentObjects = progress.sentObjects;
          context.publish({ name: "dicom.sending", payload: { sendId, progress } });
        },
      },
    );
    if (!failure) await commitments.note(filmId, node, objects);
    if (failure) context.log.warn({ reason: failure.reason, detail: failure.detail }, "results were not sent");
    return { sentObjects: failure ? sentObjects : objects.length, failure };
  };
  return {
    async send({ sendId, filmId, nodeId }) {
      if (running.has(sendId)) throw new AppError("CONFLICT");
      const stop = new AbortController();
      const ended = sendNow(sendId, filmId, nodeId, AbortSignal.any([stop.signal, closing.signal]));
      running.set(sendId, { stop, ended });
      try {
        return await ended;
      } finally {
        running.delete(sendId);
      }
    },
    cancel: (sendId) => running.get(sendId)?.stop.abort(),
    async test(nodeId) {
      const reached = await reachedNode(context, await getNode(context.db, nodeId));
      if ("reason" in reached) return { failure: reached };
      return { failure: await testNode(reached, { aeTitle: await ownTitle(), signal: closing.signal }) };
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}
