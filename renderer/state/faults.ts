import type { Failure } from "../../core/contract/desktop/shapes.ts";
import { failureInWords } from "../../core/language/failure-in-words.ts";
import type { Language } from "../../core/language/languages.ts";
import { sayIn, type Say } from "../../core/language/say.ts";
import { useLanguage } from "../ui/language/language.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { ProgramError } from "./connection.ts";

export function failureText(failure: Failure, language: Language): string {
  return failureInWords(failure, sayIn(language));
}

export function faultText(error: unknown): string {
  return faultWords(error, sayIn(useLanguage.getState().language));
}

function faultWords(error: unknown, say: Say): string {
  return error instanceof ProgramError ? failureInWords(error, say) : say("errors.UNKNOWN");
}

/** @param about  key under which the message is removed once its cause is resolved; by default the error code */
export function showFault(error: unknown, about = stateBehind(error)): void {
  if (error instanceof ProgramError && error.code === "LOCKED") return;
  if (!(error instanceof ProgramError)) console.error(error);
  showToast("fault", (say) => faultWords(error, say), { about });
}

function stateBehind(error: unknown): string | undefined {
  return error instanceof ProgramError ? error.code : undefined;
}

export function attempt(work: () => Promise<unknown>): void {
  work().catch(showFault);
}
