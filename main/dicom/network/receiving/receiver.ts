import type { ReceiverFault } from "../../../../core/contract/desktop/network/dicom.ts";
import { startThread, threadFile } from "../../../workers/start-thread.ts";
import { discardUnfinished } from "./unfinished-object.ts";
import type { AssociationReport, ReceiverCalls, ReceiverMessage, ReceiverOptions } from "./receiver-calls.ts";

/** What the owner of a receiver is told. */
export type ReceiverEvents = {
  /** A whole object lies in the folder. */
  readonly received: (fileName: string) => void;
  /** An association ended or was refused. */
  readonly association: (report: AssociationReport) => void;
  /** The receiver does not listen, or no longer. */
  readonly failed: (fault: ReceiverFault) => void;
  readonly listening: (port: number) => void;
};

/** A receiver that was started. */
export type Receiver = {
  /** Refuses objects as "out of resources" from now on, or accepts them again. */
  refuseObjects(isRefusing: boolean): void;
  close(): Promise<void>;
};

/** Memory of the thread's own objects [MB]; what it receives goes to the disk piece by piece. */
const threadMemoryMb = 256;

/** Questions in a row without an answer that end a thread. Counted, not timed: a computer that slept has asked once. */
const silentPings = 3;

/** Time that a closing thread has to finish its work, unless told otherwise [ms]. */
const usualClosingMs = 10_000;

/**
 * Starts receiving DICOM objects by C-STORE in a thread of its own. A thread that no longer answers is ended and
 * reported as `stopped`.
 *
 * @param watch.pingMs  how often the thread is asked whether it is alive: the largest object is looked through in far
 * less
 * @param watch.closingMs  time that a closing thread has to finish its work
 */
export function startReceiver(
  options: ReceiverOptions,
  events: ReceiverEvents,
  watch: { readonly pingMs?: number; readonly closingMs?: number; readonly threadFile?: URL } = {},
): Receiver {
  const thread = startThread<ReceiverCalls>(watch.threadFile ?? threadFile("receiver-thread", import.meta.url), {
    limits: { maxOldGenerationSizeMb: threadMemoryMb },
    isSilent: true,
  });
  let isOver = false;
  const fail = (fault: ReceiverFault) => {
    if (!isOver) events.failed(fault);
    isOver = true;
  };
  let unanswered = 0;
  const answered = () => {
    unanswered = 0;
  };
  const ask = () => {
    if (unanswered === silentPings) return void thread.terminate();
    unanswered += 1;
    thread.call("ping", null).then(answered, () => undefined);
  };
  let watchdog: NodeJS.Timeout | undefined;
  const onProgress = (message: ReceiverMessage) => {
    answered();
    // A busy machine starts threads slowly, so one is watched from its first message.
    watchdog ??= setInterval(ask, watch.pingMs ?? 20_000).unref();
    switch (message.kind) {
      case "listening":
        return events.listening(message.port);
      case "not-listening":
        return fail(message.code === "EADDRINUSE" ? "port-in-use" : "not-permitted");
      case "received":
        return events.received(message.fileName);
      case "association":
        return events.association(message.report);
    }
  };
  const ended = thread
    .call("receive", options, { onProgress })
    .catch(() => undefined)
    .then(() => {
      clearInterval(watchdog);
      discardUnfinished(options.folder, thread.id);
      fail("stopped");
      return thread.close();
    });
  return {
    refuseObjects(isRefusing) {
      thread.call("refuseObjects", isRefusing).catch(() => undefined);
    },
    async close() {
      isOver = true;
      const impatient = setTimeout(() => void thread.terminate(), watch.closingMs ?? usualClosingMs);
      void thread.close();
      await ended;
      clearTimeout(impatient);
    },
  };
}
