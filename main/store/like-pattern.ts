import { searchedText } from "../../core/searched-text.ts";

/** SQL function of every connection: a text as it is searched. */
export const searchedFunction = "searched_text";

/** LIKE pattern (with ESCAPE '\') for searched texts that contain one as typed. */
export function likePattern(text: string): string {
  return `%${searchedText(text.trim()).replace(/[\\%_]/g, "\\$&")}%`;
}
