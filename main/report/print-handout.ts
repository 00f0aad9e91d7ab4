import { startThread, threadFile, type Thread } from "../workers/start-thread.ts";
import type { Handout, PrintedHandout } from "./handout.ts";

/** Calls of the handout thread; pictures arrive as plain bytes. */
export type HandoutCalls = { print: { readonly request: Handout; readonly answer: PrintedHandout } };

/** Makes handouts without holding up the program. */
export type HandoutPrinter = {
  print(handout: Handout): Promise<PrintedHandout>;
  close(): Promise<void>;
};

/** The thread starts with the first handout and stays for the next one. */
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
