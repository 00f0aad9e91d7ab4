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

/**
 * A text as it is searched: without case, accents and umlauts, however they are spelt. Müller, Mueller, MULLER and
 * "mull" then find each other, and so do Schröder and Schroder.
 */
export function searchedText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/[aou]e|[ßæœøł]/g, (found) => digraphs[found] ?? found);
}
