import { parentPort } from "node:worker_threads";
import type { HandOutReply, HandOutRequest } from "./hand-out-messages.ts";
import { handOutPdf } from "./hand-out-pdf.ts";
import type { HandOut } from "./hand-out.ts";

// A thread of its own: fonts and pages take up to a second, in which the program would answer nobody.

const port = parentPort;
if (!port) throw new Error("hand-out-thread is started as a worker thread");
const send = (reply: HandOutReply) => port.postMessage(reply);

port.on("message", ({ id, handOut }: HandOutRequest) => {
  handOutPdf(withBuffers(handOut)).then(
    (pdf) => send({ id, pdf }),
    (error: unknown) => send({ id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

/** Buffers lose their kind on the way between threads. */
function withBuffers({ clinic, film, ...others }: HandOut): HandOut {
  return {
    ...others,
    clinic: { ...clinic, logo: clinic.logo && Buffer.from(clinic.logo) },
    film: { ...film, jpeg: Buffer.from(film.jpeg) },
  };
}
