import { sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import { searchedText } from "../../../core/searched-text.ts";
import { searchedFunction } from "./searched-function.ts";

/** LIKE pattern (with ESCAPE '\') for searched texts that contain one as typed. */
export function likePattern(text: string): string {
  return containing(searchedText(text.trim()));
}

/** LIKE pattern (with ESCAPE '\') for texts that contain this one. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

export function asSearched(text: Expression<unknown>): RawBuilder<string> {
  return sql`${sql.raw(searchedFunction)}(${text})`;
}

/** Whether a text of the store contains the typed text, ignoring case and accents. */
export function containsTyped(text: Expression<unknown>, typed: string): RawBuilder<SqlBool> {
  return sql`${asSearched(text)} LIKE ${likePattern(typed)} ESCAPE '\\'`;
}

/** Characters that group the digits of a number: `276 098-106` is `276098106`. */
const grouping = [" ", "-", ".", "/"];

/** Whether a text of the store contains the typed number, however either is grouped. */
export function containsNumber(text: Expression<unknown>, typed: string): RawBuilder<SqlBool> {
  const ungrouped = (from: RawBuilder<unknown>) =>
    grouping.reduce((shorter, sign) => sql`replace(${shorter}, ${sql.lit(sign)}, '')`, from);
  const number = grouping.reduce((shorter, sign) => shorter.replaceAll(sign, ""), typed.trim());
  return sql`${ungrouped(asSearched(text))} LIKE ${likePattern(number)} ESCAPE '\\'`;
}

/** A text in lower case as `lower()` of a column has it on every engine: A to Z alone. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
