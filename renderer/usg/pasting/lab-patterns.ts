import type { FeatureKey } from "../../../core/usg/features.ts";
import { agePattern } from "../age-in-parts.ts";
import { spacedThousands } from "../units/typed-quantity.ts";
import { namePattern } from "./lab-names.ts";

const digits = "\\d+(?:[.,'’]\\d+)*";
// Excludes a part of a longer number, of a power of ten or of a fraction, and the lower end of a range.
const numberEnd = "(?!['’.,/:]?\\d|\\s?\\^\\d|[*e]\\d|\\s*[-–]\\s*\\d|\\s?(?:[¼½¾]|1\\/2))";
const range = "[([][\\d\\s.,<>–-]+[)\\]]|\\d[\\d.,]*\\s*[-–]\\s*\\d[\\d.,]*";
const flag = "[*+!↑↓-]+|\\(?(?:HIGH|LOW|HOCH|NIEDRIG|HAUT|BAS|[HLN])\\)?(?![\\p{L}/])";
const powerOfTen = "(?:[x*]\\s?)?10\\s?[\\^e*]?\\d{1,2}\\s?\\/\\s?\\p{L}+";
const unit = `${powerOfTen}|\\/(?:[uµn]l|mm\\^?3)(?!\\p{L})|[\\p{L}%]+\\.?(?:\\/(?:100\\s?)?\\p{L}+(?:\\^?3)?)?`;
const limitSign = "[<>≤≥]";

const month = "(?:jan|f[eé][bv]|m[aä]r|a[pv]r|ma[iy]|ju[inl]|aug|ao[uû]|sep|o[ck]t|nov|d[eé][cz])\\p{L}*\\.?";
const year = "(?:\\d{4}|\\d{2})";
const day = "(?:0?[1-9]|[12]\\d|3[01])";
const monthNumber = "(?:0?[1-9]|1[0-2])";
/** Dates use one separator throughout: `5.7-12` is a range. */
const datesBetween = (sign: string) =>
  [
    [day, monthNumber, year],
    [monthNumber, day, year],
    ["\\d{4}", monthNumber, day],
  ].map((parts) => parts.join(sign));
const date = [...["/", "\\.", "-"].flatMap(datesBetween), `${day}[-. ]{1,2}${month}[- ]?${year}`].join("|");
const minutes = "[:h][0-5]\\d(?::\\d{2})?(?:[.,]\\d+)?(?:Z|\\s?[AP]M(?!\\p{L}))?";
const time = `(?:[01]?\\d|2[0-3])(?:${minutes}|(?:[.:][0-5]\\d)?\\s?Uhr(?!\\p{L}))`;
const stamp = new RegExp(`(?<![\\d.,/:-])(?:(?:${date})(?:T${time})?|${time})(?![/:.,-]?\\d)`, "giu");
/** Placeholder for a date or a time of day: a private-use character, which does not occur in text. */
const stampSign = "\ue000";

/** Replaces each date and time of day by a placeholder, so that their digits are not read as values. */
export function withoutStamps(text: string): string {
  return text.replace(stamp, stampSign);
}

const rowOfDays = new RegExp(`${stampSign}[^\\S\\t]*[\\t;|].*${stampSign}`);

/** Whether a line, after `withoutStamps`, is the heading of columns for several dates. */
export function isDateRow(line: string): boolean {
  return rowOfDays.test(line) && !/\d/.test(line);
}

/**
 * Captures `name`, `bracket` after the name, `limit` (a sign that marks the number as a limit), `number` and `unit`. If
 * there is a time both before and after the value (`stamps` and `later`), it is ambiguous which value counts.
 */
export function besidePattern(key: FeatureKey): RegExp {
  const bracket = "(?:\\s*[([](?<bracket>[^()[\\]]*)[)\\]])?";
  const isCount = key === "ABSOLUTE LYMPHOCYTES";
  // Only a count has a thousands separator or may follow a percentage.
  const percentage = isCount ? `(?:${limitSign}?\\s*\\d+(?:[.,]\\d+)?\\s*%[\\s;|:]*)?` : "";
  const grouped = isCount ? `${spacedThousands}(?:[.,]\\d+)?|` : "";
  const number = `(?<limit>(?:${limitSign}[\\s;|:=*,#]*)*)(?<number>(?:${grouped}${digits})${numberEnd})`;
  const between = `(?:[\\s;|]*(?:${range}|${flag})){0,3}[\\s;|]*`;
  const after = key === "age_months" ? agePattern : unit;
  const gap = "[\\s;|:=*,#]*";
  const stamps = `(?<stamps>(?:${stampSign}${gap}){0,2})`;
  const before = `${namePattern(key)}\\.?${bracket}${gap}${stamps}${percentage}`;
  return new RegExp(`${before}${number}${between}(?<unit>${after})?(?<later>${gap}${stampSign})?`, "giu");
}

/** A number in a cell of its own, with the same captures as a number after its name. */
export const cellPattern = new RegExp(
  `^\\*?(?<limit>(?:${limitSign}[*=]?)*)\\s*(?<number>[\\d.,'’ ]*\\d)(?:\\s*(?:${flag}))?\\s*(?<unit>\\D.*)?$`,
  "iu",
);

export function withoutUnits(line: string): string {
  return line.replace(/\([^()]*\)|\[[^[\]]*\]/g, "").replace(new RegExp(powerOfTen, "giu"), "");
}
