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

/** ASCII text except `^` and "`", which `\p{Diacritic}` matches. */
const isPlain = /^[\n\r\t\x20-\x5d_a-z{-~]*$/;

/**
 * Normalises text for searches: ignores case, accents and the spelling of umlauts. Müller, Mueller, MULLER and "mull"
 * match each other, and so do Schröder and Schroder.
 */
export function searchedText(text: string): string {
  // Fast path for most texts, since a search normalises thousands of them.
  if (isPlain.test(text)) return text.toLowerCase().replace(/([aou])e/g, "$1");
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/[aou]e|[ßæœøł]/g, (found) => digraphs[found] ?? found);
}
