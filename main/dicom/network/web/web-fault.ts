import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";

export class WebFault extends Error {
  readonly failure: SendFailure;

  constructor(reason: SendFailure["reason"], detail = "") {
    super(`${reason} ${detail}`);
    this.name = "WebFault";
    this.failure = { reason, detail: detail.slice(0, 200) };
  }
}
