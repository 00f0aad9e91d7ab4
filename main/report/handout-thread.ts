import { serveThread } from "../workers/serve-thread.ts";
import { handoutPdf } from "./handout-pdf.ts";
import type { Handout } from "./handout.ts";
import type { HandoutCalls } from "./print-handout.ts";

// Thread for handouts: fonts and pages take up to a second.

serveThread<HandoutCalls>({ print: (handout) => handoutPdf(withBuffers(handout)) });

/** Buffers lose their kind on the way between threads. */
function withBuffers({ clinic, film, ...others }: Handout): Handout {
  return {
    ...others,
    clinic: { ...clinic, logo: clinic.logo && Buffer.from(clinic.logo) },
    film: { ...film, jpeg: Buffer.from(film.jpeg) },
  };
}
