import { errorCatalogue, type ErrorCode } from "./contract/error-catalogue.ts";

/** An expected failure from the catalogue. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;

  /**
   * @param code    key of the error catalogue
   * @param detail  replaces the catalogue's message when the fault can be named more exactly (a field, a file)
   */
  constructor(code: ErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail ?? errorCatalogue[code].message, options);
    this.name = "AppError";
    this.code = code;
    this.status = errorCatalogue[code].status;
  }
}
