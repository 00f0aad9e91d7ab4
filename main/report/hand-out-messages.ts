import type { HandOut } from "./hand-out.ts";

/** What the thread of the hand-outs is asked; pictures arrive as plain bytes. */
export type HandOutRequest = { readonly id: number; readonly handOut: HandOut };

/** The PDF, or what went wrong, which is a bug. */
export type HandOutReply =
  { readonly id: number; readonly pdf: Uint8Array } | { readonly id: number; readonly bug: string };
