import type { Failure } from "../../core/contract/desktop/shapes.ts";
import { failureInWords } from "../../core/language/failure-in-words.ts";
import type { Language } from "../../core/language/languages.ts";
import { sayIn } from "../../core/language/say.ts";
import { textNow, useLanguage } from "../ui/language/language.ts";
import { useToasts } from "../ui/toasts.tsx";
import { ProgramError } from "./connection.ts";

/** A failure that the program told of, in words. */
export function failureText(failure: Failure, language: Language): string {
  return failureInWords(failure, sayIn(language));
}

/** Any thrown failure in the language of the interface. */
export function faultText(error: unknown): string {
  if (!(error instanceof ProgramError)) return textNow()("errors.UNKNOWN");
  return failureText(error, useLanguage.getState().language);
}

/** Shows a failure; the lock screen says by itself that somebody has to sign in. */
export function showFault(error: unknown): void {
  if (error instanceof ProgramError && error.code === "LOCKED") return;
  if (!(error instanceof ProgramError)) console.error(error);
  useToasts.getState().show("fault", faultText(error), { about: stateBehind(error) });
}

/** The state of the program that made something fail: what was said of it goes once that is over. */
function stateBehind(error: unknown): string | undefined {
  return error instanceof ProgramError ? error.code : undefined;
}

/** Runs something whose failure only needs to be shown. */
export function attempt(work: () => Promise<unknown>): void {
  work().catch(showFault);
}
