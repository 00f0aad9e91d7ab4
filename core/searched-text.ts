const digraphs: Readonly<Record<string, string>> = {
  ae: "a",
  oe: "o",
  ue: "u",
  ß: "ss",
  æ: "a",
  œ: "o",
  ø: "o",
  ł: "l",
};

/** Of signs that have no accents and are none: `^` and "`" count as some. */
const isPlain = /^[\n\r\t\x20-\x5d_a-z{-~]*$/;

/**
 * Form for searches: without case, accents and umlauts in any spelling. Müller, Mueller, MULLER and "mull" match each
 * other, and so do Schröder and Schroder.
 */
export function searchedText(text: string): string {
  // Most texts: nothing to take apart in them, and thousands of them in a search.
  if (isPlain.test(text)) return text.toLowerCase().replace(/([aou])e/g, "$1");
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/[aou]e|[ßæœøł]/g, (found) => digraphs[found] ?? found);
}
