import { parentPort } from "node:worker_threads";
import { packFailure } from "./thread-failure.ts";
import type { ThreadCalls, ThreadMessage, ThreadReply } from "./thread-messages.ts";

export type ServedCall<Progress> = { progress(progress: Progress): void };

type Handlers<Calls extends ThreadCalls> = {
  readonly [Name in keyof Calls]: (
    request: Calls[Name]["request"],
    call: ServedCall<Calls[Name]["progress"]>,
  ) => Calls[Name]["answer"] | Promise<Calls[Name]["answer"]>;
};

type ServeOptions<Calls extends ThreadCalls> = {
  /** Runs calls one after the other instead of concurrently. */
  readonly isInTurn?: boolean;
  readonly transferred?: (answer: Calls[keyof Calls]["answer"]) => readonly ArrayBuffer[];
  /** Whether the thread uses too much memory and should be replaced; called after each call. */
  readonly isSpent?: () => boolean;
  readonly onClose?: () => void | Promise<void>;
};

export function serveThread<Calls extends ThreadCalls>(handlers: Handlers<Calls>, options: ServeOptions<Calls> = {}) {
  const port = parentPort;
  if (!port) throw new Error("serveThread must run in a worker thread");
  const send = (reply: ThreadReply, transferred: readonly ArrayBuffer[] = []) => port.postMessage(reply, transferred);
  const isSpent = () => options.isSpent?.() ?? false;

  const serve = async ({ id, name, request }: Exclude<ThreadMessage, "close">) => {
    const call = { progress: (progress: unknown) => send({ kind: "progress", id, progress }) };
    try {
      const answer = await (handlers[name] as Handlers<Calls>[keyof Calls])(request, call);
      send({ kind: "answer", id, answer, isSpent: isSpent() }, options.transferred?.(answer));
    } catch (error) {
      send({ kind: "failure", id, failure: packFailure(error), isSpent: isSpent() });
    }
  };
  let queue: Promise<void> = Promise.resolve();
  const close = async () => {
    await options.onClose?.();
    port.close();
  };
  port.on("message", (message: ThreadMessage) => {
    const work = () => (message === "close" ? close() : serve(message));
    if (options.isInTurn) queue = queue.then(work);
    else void work();
  });
  send({ kind: "started" });
}
