/** Of months and years, in English, German and French. */
export const ageSpellings: readonly [RegExp, RegExp] = [
  /^(months?|mths?|mos?|m|monate?n?|mon|mois)\.?$/i,
  /^(years?|yrs?|y|a|jahre?n?|j|ans?|années?)\.?$/i,
];

const word = "\\p{L}+(?:\\(\\p{L}{1,2}\\))?\\.?";
const conjunction = "\\s(?:and|und|u\\.|et)";
const joint = `[ \\u00a0\\u202f,/&+–-]*(?:${conjunction}\\s*)?`;
// Dates, ranges and weights also follow an age.
const count = "\\d{1,3}(?![.,/:]?\\d|\\s*[–-]\\s*\\d|\\s*(?:[mk]?g|mmol|[µu]mol|lbs?)(?!\\p{L}))";
const cellEnd = "\\s*[;|\\t]\\s*";
// The next cell may contain an earlier age or a limit instead of the months.
const nextCell = `${cellEnd}${count}\\s*m\\p{L}*\\.?(?![\\p{L}/])`;
const inWords = `,?${conjunction}(?!\\p{L})\\s*\\p{L}*`;

/**
 * Source of a regular expression for the text after the first number of an age: its unit and all further parts, valid
 * or not, so that no age is read without its months.
 */
export const agePattern = `${word}(?:${nextCell}|${joint}${count}(?:\\s*${word})?|${inWords})*`;

const yearsAndMonths = new RegExp(`^(\\d+)\\s*(\\p{L}+\\.?)(?:${joint}|${cellEnd})(\\d+)\\s*(\\p{L}+\\.?)$`, "iu");

/** Total months of an age of two parts such as `11 y 3 mo`; null for other text. */
export function monthsOfParts(text: string): number | null {
  const [, years, yearsUnit = "", months, monthsUnit = ""] = yearsAndMonths.exec(text) ?? [];
  const [monthsSpelling, yearsSpelling] = ageSpellings;
  const isAge = yearsSpelling.test(yearsUnit) && monthsSpelling.test(monthsUnit) && Number(months) < 12;
  return isAge ? Number(years) * 12 + Number(months) : null;
}
