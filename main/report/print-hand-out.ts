import { startThread, threadFile, type Thread } from "../workers/start-thread.ts";
import type { HandOut } from "./hand-out.ts";

/** Calls of the handout thread; pictures arrive as plain bytes. */
export type HandOutCalls = { print: { readonly request: HandOut; readonly answer: Uint8Array } };

export type HandOutPrinter = {
  /** @returns PDF */
  print(handOut: HandOut): Promise<Buffer>;
  close(): Promise<void>;
};

/** The thread starts with the first handout and stays for the next one. */
export function createHandOutPrinter(): HandOutPrinter {
  let thread: Thread<HandOutCalls> | null = null;
  return {
    async print(handOut) {
      if (!thread?.isReusable()) thread = startThread(threadFile("hand-out-thread", import.meta.url));
      const pdf = await thread.call("print", handOut);
      return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
    },
    async close() {
      await thread?.close();
    },
  };
}
