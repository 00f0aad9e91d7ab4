import { errorCatalogue, type ErrorCode } from "./contract/error-catalogue.ts";
import type { english } from "./language/english.ts";
import type { TextKey, TextValues } from "./language/catalogue.ts";
import { sayIn } from "./language/say.ts";

type FaultName = keyof (typeof english)["faults"];
type ValuesOfFault<Name extends FaultName> = TextValues<`faults.${Name}` & TextKey>;

/** Details of a failure: the text's key and its values. Passed unchanged between threads and to the page. */
export type Reason = { readonly name: string; readonly values: Readonly<Record<string, string | number>> };

export function because<Name extends FaultName>(
  name: Name,
  ...[values]: ValuesOfFault<Name> extends never ? [] : [values: ValuesOfFault<Name>]
): Reason {
  return { name, values: values ?? {} };
}

/** An expected failure from the catalogue. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Text shown instead of the code's own; null if the code suffices. */
  readonly reason: Reason | null;

  /**
   * @param code    key of the error catalogue
   * @param detail  what exactly is wrong: a reason, which people read in their language, or English words for the
   *                programming interface, the command line and the log alone, which the page never shows
   */
  constructor(code: ErrorCode, detail?: string | Reason | null, options?: ErrorOptions) {
    super(
      typeof detail === "object" && detail ? reasonInEnglish(detail) : (detail ?? errorCatalogue[code].message),
      options,
    );
    this.name = "AppError";
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.reason = typeof detail === "object" ? detail : null;
  }
}

export function failureOf({ code, message, reason }: AppError) {
  return { code, message, ...(reason && { reason }) };
}

export function reasonInEnglish({ name, values }: Reason): string {
  return sayIn("en")(`faults.${name as "fileEmpty"}`, values as never);
}
