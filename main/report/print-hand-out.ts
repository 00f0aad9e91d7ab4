import { Worker } from "node:worker_threads";
import type { HandOutReply, HandOutRequest } from "./hand-out-messages.ts";
import type { HandOut } from "./hand-out.ts";

type Waiting = { readonly resolve: (pdf: Buffer) => void; readonly reject: (error: Error) => void };

const threadFile = new URL(`./hand-out-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
const waiting = new Map<number, Waiting>();
let thread: Worker | null = null;
let lastId = 0;

/**
 * Makes a hand-out in a thread, which stays for the next one.
 *
 * @returns PDF
 */
export function printHandOut(handOut: HandOut): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    thread ??= startThread();
    thread.ref();
    const request: HandOutRequest = { id: (lastId += 1), handOut };
    waiting.set(request.id, { resolve, reject });
    thread.postMessage(request);
  });
}

function startThread(): Worker {
  const worker = new Worker(threadFile);
  const lose = (error: Error) => {
    if (thread === worker) thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", lose);
  worker.on("exit", () => lose(new Error("the thread of the hand-outs has ended")));
  worker.on("message", (reply: HandOutReply) => {
    const { resolve, reject } = waiting.get(reply.id) as Waiting;
    waiting.delete(reply.id);
    // Without work it keeps no program alive.
    if (waiting.size === 0) worker.unref();
    if ("pdf" in reply) resolve(Buffer.from(reply.pdf.buffer, reply.pdf.byteOffset, reply.pdf.byteLength));
    else reject(new Error(reply.bug));
  });
  return worker;
}
