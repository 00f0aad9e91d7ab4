import { sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import { searchedText } from "../../../core/searched-text.ts";

/** SQL function, defined on every connection, that normalises a text for searching. */
export const searchedFunction = "searched_text";

/** LIKE pattern (with ESCAPE '\') for normalised texts. */
export function likePattern(text: string): string {
  return containing(searchedText(text.trim()));
}

/** LIKE pattern (with ESCAPE '\'). */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

export function asSearched(text: Expression<unknown>): RawBuilder<string> {
  return sql`${sql.raw(searchedFunction)}(${text})`;
}

/** Ignores case and accents. */
export function containsTyped(text: Expression<unknown>, typed: string): RawBuilder<SqlBool> {
  return sql`${asSearched(text)} LIKE ${likePattern(typed)} ESCAPE '\\'`;
}

/** Characters that group digits: `276 098-106` is `276098106`. */
const grouping = [" ", "-", ".", "/"];

/** Ignores how digits are grouped. */
export function containsNumber(text: Expression<unknown>, typed: string): RawBuilder<SqlBool> {
  const ungrouped = (from: RawBuilder<unknown>) =>
    grouping.reduce((shorter, sign) => sql`replace(${shorter}, ${sql.lit(sign)}, '')`, from);
  const number = grouping.reduce((shorter, sign) => shorter.replaceAll(sign, ""), typed.trim());
  return sql`${ungrouped(asSearched(text))} LIKE ${likePattern(number)} ESCAPE '\\'`;
}

/** Converts A to Z to lower case, as `lower()` of a column does on both engines. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
