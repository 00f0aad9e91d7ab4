import { Worker } from "node:worker_threads";
import type { ReceiverFault } from "../../../core/contract/desktop/dicom.ts";
import type { AssociationReport, ReceiverMessage, ReceiverOptions } from "./receiver-messages.ts";

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
export type Receiver = { close(): Promise<void> };

/** Memory of the thread's own objects [MB]; what it receives goes to the disk piece by piece. */
const threadMemoryMb = 256;

const threadFile = new URL(`./receiver-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Starts receiving DICOM objects by C-STORE in a thread of its own. */
export function startReceiver(options: ReceiverOptions, events: ReceiverEvents): Receiver {
  // What the library prints is taken from the thread and dropped: it may name patients.
  const worker = new Worker(threadFile, { workerData: options, resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb }, stdout: true, stderr: true });
  worker.stdout.resume();
  worker.stderr.resume();
  let isOver = false;
  const fail = (fault: ReceiverFault) => {
    if (!isOver) events.failed(fault);
    isOver = true;
  };
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("error", () => fail("stopped"));
  worker.once("exit", () => fail("stopped"));
  worker.on("message", (message: ReceiverMessage) => {
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
  });
  return {
    async close() {
      isOver = true;
      worker.postMessage("close");
      await ended;
    },
  };
}
