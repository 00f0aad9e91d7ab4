import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";
import type { Language } from "../../core/language/languages.ts";
import { sayIn } from "../../core/language/say.ts";
import { useLanguage } from "../ui/language.ts";
import { useToasts } from "../ui/toasts.tsx";
import { ProgramError } from "./connection.ts";

/**
 * A failure by its code and the program's English words. What those say beyond the catalogue (a field, a file) is kept.
 */
export function failureText(failure: { readonly code: string; readonly message: string }, language: Language): string {
  const say = sayIn(language);
  if (failure.code === "OFFLINE") return say("errors.OFFLINE");
  if (language === "en" || !(failure.code in errorCatalogue)) return failure.message;
  const code = failure.code as ErrorCode;
  const usual: string = errorCatalogue[code].message;
  const known = say(`errors.${code}`);
  if (failure.message === usual) return known;
  if (failure.message.startsWith(usual)) return known + failure.message.slice(usual.length);
  return `${known} (${failure.message})`;
}

/** Any thrown failure in the language of the interface. */
export function faultText(error: unknown): string {
  const { language } = useLanguage.getState();
  return error instanceof ProgramError ? failureText(error, language) : sayIn(language)("errors.UNKNOWN");
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
