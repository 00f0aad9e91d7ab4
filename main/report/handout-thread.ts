import { serveThread } from "../workers/serve-thread.ts";
import { handoutPdf } from "./handout-pdf.ts";
import type { HandoutCalls } from "./print-handout.ts";

// A worker thread, since fonts and layout take up to a second.

serveThread<HandoutCalls>({ print: handoutPdf });
