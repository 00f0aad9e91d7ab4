import { startThread, threadFile, type Thread } from "../workers/start-thread.ts";
import type { Handout, PrintedHandout } from "./handout.ts";

/** Calls of the handout thread; Buffers arrive as Uint8Arrays. */
export type HandoutCalls = { print: { readonly request: Handout; readonly answer: PrintedHandout } };

export type HandoutPrinter = {
  print(handout: Handout): Promise<PrintedHandout>;
  close(): Promise<void>;
};

export function createHandoutPrinter(): HandoutPrinter {
  let thread: Thread<HandoutCalls> | null = null;
  return {
    async print(handout) {
      if (!thread?.isReusable()) thread = startThread(threadFile("handout-thread", import.meta.url));
      const { pdf, ...printed } = await thread.call("print", handout);
      return { ...printed, pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength) };
    },
    async close() {
      await thread?.close();
    },
  };
}
