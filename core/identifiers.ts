import { z } from "zod";

/** Longest identifier that a client may give a patient, a clinic or an account [characters, Unicode code points]. */
const longestIdentifier = 200;

const controlCharacter = /\p{Cc}/u;

/**
 * What keeps a text from being an identifier: those are well-formed Unicode of 1–200 characters without control
 * characters. They are kept in the ledger for good, and half a surrogate pair would be stored as another text than was
 * hashed.
 *
 * @returns the demand that is not met, to be written behind the field's name; null for an identifier
 */
export function faultOfIdentifier(text: string): string | null {
  if (text === "") return "must not be empty";
  if (!isWellFormed(text)) return "must be well-formed Unicode";
  if (hasControlCharacter(text)) return "must not contain control characters";
  return Array.from(text).length > longestIdentifier ? `must have at most ${longestIdentifier} characters` : null;
}

/**
 * Form for comparisons (NFC): the same name typed on two systems is one identifier. Responses and displays use the
 * original text.
 */
export function comparedIdentifier<Text extends string | null>(text: Text): Text {
  return text === null ? text : (text.normalize("NFC") as Text);
}

/** Whether a text contains a control character, line ends included. */
export function hasControlCharacter(text: string): boolean {
  return controlCharacter.test(text);
}

/** A name in a contract: one line without control characters, trimmed. */
export function nameOf(mostCharacters: number) {
  const text = z.string().trim().max(mostCharacters);
  return text.refine((name) => !hasControlCharacter(name), "must not contain control characters");
}

/** Whether the text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

export const identifier = z
  .string()
  .superRefine((text, context) => {
    const message = faultOfIdentifier(text);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .meta({ minLength: 1, maxLength: longestIdentifier });
