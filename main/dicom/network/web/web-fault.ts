import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";

/** A web server did not do what was asked; the answer to the page says why. */
export class WebFault extends Error {
  readonly failure: SendFailure;

  constructor(reason: SendFailure["reason"], detail = "") {
    super(`${reason} ${detail}`);
    this.name = "WebFault";
    this.failure = { reason, detail: detail.slice(0, 200) };
  }
}
