import { errorCatalogue, type ErrorCode } from "./contract/error-catalogue.ts";
import type { english } from "./language/english.ts";
import type { TextKey, TextValues } from "./language/catalogue.ts";
import { sayIn } from "./language/say.ts";

type FaultName = keyof (typeof english)["faults"];
type ValuesOfFault<Name extends FaultName> = TextValues<`faults.${Name}` & TextKey>;

/**
 * Details of a failure: catalogue key and values of its text. Plain data, so that threads and the page can receive it.
 */
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
  /** More specific text than that of the code; null if there is none. */
  readonly reason: Reason | null;

  /**
   * @param code    key of the error catalogue
   * @param detail  a `Reason`, which is shown in the user's language; or English text, which appears only in API
   *                responses, on the command line and in the log
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
