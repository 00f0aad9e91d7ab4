import type { CodedFrame } from "./codec-module.ts";

/** What a thread that helps another one is asked: to decode a frame and give the rows from `top` to `bottom`. */
export type HalfRequest = { readonly frame: CodedFrame; readonly top: number; readonly bottom: number };

/** The rows' bytes, or what the codec complains of. */
export type HalfReply = { readonly rows: Uint8Array } | { readonly fault: string };
