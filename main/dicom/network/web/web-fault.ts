import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";

/** Failure of a request to a web server, reported to the page. */
export class WebFault extends Error {
  readonly failure: SendFailure;

  constructor(reason: SendFailure["reason"], detail = "") {
    super(`${reason} ${detail}`);
    this.name = "WebFault";
    this.failure = { reason, detail: detail.slice(0, 200) };
  }
}
