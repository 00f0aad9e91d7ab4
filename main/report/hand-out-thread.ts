import { serveThread } from "../workers/serve-thread.ts";
import { handOutPdf } from "./hand-out-pdf.ts";
import type { HandOut } from "./hand-out.ts";
import type { HandOutCalls } from "./print-hand-out.ts";

// Thread for handouts: fonts and pages take up to a second.

serveThread<HandOutCalls>({ print: (handOut) => handOutPdf(withBuffers(handOut)) });

/** Buffers lose their kind on the way between threads. */
function withBuffers({ clinic, film, ...others }: HandOut): HandOut {
  return {
    ...others,
    clinic: { ...clinic, logo: clinic.logo && Buffer.from(clinic.logo) },
    film: { ...film, jpeg: Buffer.from(film.jpeg) },
  };
}
