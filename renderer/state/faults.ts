import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";
import { useLanguage } from "../ui/language.ts";
import type { Language } from "../ui/message.ts";
import { germanErrors, pageErrors } from "../ui/messages/errors.ts";
import { germanFileFault } from "../ui/messages/file-faults.ts";
import { useToasts } from "../ui/toasts.tsx";
import { ProgramError } from "./connection.ts";

/**
 * A failure by its code and the program's English words. What those say beyond the catalogue (a field, a file) is kept.
 */
export function failureText(failure: { readonly code: string; readonly message: string }, language: Language): string {
  if (failure.code === "OFFLINE") return pageErrors.OFFLINE[language];
  if (language === "en" || !(failure.code in germanErrors)) return failure.message;
  const code = failure.code as ErrorCode;
  const usual: string = errorCatalogue[code].message;
  if (failure.message === usual) return germanErrors[code];
  if (failure.message.startsWith(usual)) return germanErrors[code] + failure.message.slice(usual.length);
  return germanFileFault(failure.message) ?? `${germanErrors[code]} (${failure.message})`;
}

/** Any thrown failure in the language of the interface. */
export function faultText(error: unknown): string {
  const { language } = useLanguage.getState();
  return error instanceof ProgramError ? failureText(error, language) : pageErrors.UNKNOWN[language];
}

/** Shows a failure in the corner. */
export function showFault(error: unknown): void {
  if (!(error instanceof ProgramError)) console.error(error);
  useToasts.getState().show("fault", faultText(error));
}

/** Runs something whose failure only needs to be shown. */
export function attempt(work: () => Promise<unknown>): void {
  work().catch(showFault);
}
