import type { ReceiverFault } from "../../../../core/contract/desktop/network/dicom.ts";
import { startThread, threadFile } from "../../../workers/start-thread.ts";
import { discardUnfinished } from "./unfinished-object.ts";
import type { AssociationReport, ReceiverCalls, ReceiverMessage, ReceiverOptions } from "./receiver-calls.ts";

export type ReceiverEvents = {
  readonly received: (fileName: string) => void;
  readonly association: (report: AssociationReport) => void;
  readonly failed: (fault: ReceiverFault) => void;
  readonly listening: (port: number) => void;
};

export type Receiver = {
  /** Starts or stops refusing objects as "out of resources". */
  refuseObjects(isRefusing: boolean): void;
  close(): Promise<void>;
};

const threadMemoryMb = 256;

/** Unanswered pings; a time limit would also expire while the computer is suspended. */
const silentPings = 3;

const usualClosingMs = 10_000;

/**
 * Starts receiving DICOM objects by C-STORE in a separate thread. A thread that no longer responds is terminated and
 * reported as `stopped`.
 *
 * @param watch.pingMs  ping interval, far above the time to check the largest object
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
  const ping = () => {
    if (unanswered === silentPings) return void thread.terminate();
    unanswered += 1;
    thread.call("ping", null).then(answered, () => undefined);
  };
  let watchdog: NodeJS.Timeout | undefined;
  const onProgress = (message: ReceiverMessage) => {
    answered();
    // Start the watchdog at the first message, since a busy computer starts threads slowly.
    watchdog ??= setInterval(ping, watch.pingMs ?? 20_000).unref();
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
      const deadline = setTimeout(() => void thread.terminate(), watch.closingMs ?? usualClosingMs);
      void thread.close();
      await ended;
      clearTimeout(deadline);
    },
  };
}
