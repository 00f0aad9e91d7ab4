import { serveThread } from "../workers/serve-thread.ts";
import { handoutPdf } from "./handout-pdf.ts";
import type { Handout } from "./handout.ts";
import type { HandoutCalls } from "./print-handout.ts";

// A worker thread, since fonts and layout take up to a second.

serveThread<HandoutCalls>({ print: (handout) => handoutPdf(withBuffers(handout)) });

/** Restores Buffers, which arrive from another thread as Uint8Arrays. */
function withBuffers({ clinic, film, ...others }: Handout): Handout {
  return {
    ...others,
    clinic: { ...clinic, logo: clinic.logo && Buffer.from(clinic.logo) },
    film: { ...film, jpeg: Buffer.from(film.jpeg) },
  };
}
