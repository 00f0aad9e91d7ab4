import { z } from "zod";

/** Maximum length of a client's patient, clinic or account identifier [Unicode code points]. */
const maxIdentifierLength = 200;

const controlCharacter = /\p{Cc}/u;

/**
 * Checks an identifier: well-formed Unicode of 1–200 characters without control characters. Identifiers stay in the
 * ledger permanently, and a lone surrogate would be stored as a different text than the hashed one.
 *
 * @returns  the violated requirement, worded to follow the field's name; null for a valid identifier
 */
export function faultOfIdentifier(text: string): string | null {
  if (text === "") return "must not be empty";
  if (!isWellFormed(text)) return "must be well-formed Unicode";
  if (hasControlCharacter(text)) return "must not contain control characters";
  return Array.from(text).length > maxIdentifierLength ? `must have at most ${maxIdentifierLength} characters` : null;
}

/**
 * Normalises an identifier for comparison (NFC), so that the same name typed on two systems matches. Responses and
 * displays use the original text.
 */
export function comparedIdentifier<Text extends string | null>(text: Text): Text {
  return text === null ? text : (text.normalize("NFC") as Text);
}

/** Whether a text contains a control character; line breaks are control characters. */
export function hasControlCharacter(text: string): boolean {
  return controlCharacter.test(text);
}

/** Schema of a name in one line: trimmed; control characters, such as the tab between two copied cells, become spaces. */
export function nameOf(mostCharacters: number) {
  const inOneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, " ").trim();
  return z.string().overwrite(inOneLine).max(mostCharacters);
}

/** Whether a text has no lone surrogates. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

export const identifier = z
  .string()
  .superRefine((text, context) => {
    const message = faultOfIdentifier(text);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .meta({ minLength: 1, maxLength: maxIdentifierLength });
