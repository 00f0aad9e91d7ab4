import type { Say } from "../../../core/language/say.ts";

export type Words = string | ((say: Say) => string);

export function inWords(words: Words, say: Say): string {
  return typeof words === "string" ? words : words(say);
}
