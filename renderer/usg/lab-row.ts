import { usgFeatures, type FeatureKey } from "../../core/usg/features.ts";
import { mostYears } from "./typed-quantity.ts";
import type { Entry } from "./units.ts";

/** How laboratories name the values, in English and German. */
const names: Readonly<Record<FeatureKey, string>> = {
  BUN: "BUN|UREA(?:[ -]?N)?|HARNSTOFF(?:[ -]?N)?",
  CREATININE: "CREATININE?|CREAT|CREA|CRE|KREATININ|KREA",
  HGB: "HGB|HB|HA?EMOGLOBIN|HÄMOGLOBIN",
  "ABSOLUTE LYMPHOCYTES": "(?:ABS(?:OLUTE|\\.)? )?LYM(?:PHS|PHO(?:CYTES|ZYTEN)|PH)?(?:,? ABS(?:OLUTE|OLUT|\\.)?)?",
  age_months: "(?:AGE|ALTER)(?:[ _](?:MONTHS|YEARS))?",
};

/** Spellings of the second unit of each value; anything else is read as the unit of the service. */
const secondUnits: Readonly<Record<FeatureKey, RegExp>> = {
  BUN: /mmol/i,
  CREATININE: /[uµμ]mol/i,
  HGB: /g\/l$/i,
  "ABSOLUTE LYMPHOCYTES": /^k\/|10\^?[39]|10e[39]|tsd|^G\/l/i,
  age_months: /^(years?|y|jahre?|j)$|years/i,
};

const number = "(?<number>\\d+(?:[.,]\\d+)?)";
const unit = "(?<unit>x?10[\\^e]?\\d\\/[\\p{L}]+|[\\p{L}%]+(?:\\/[\\p{L}]+)?)?";

/**
 * Reads values out of a text copied from a laboratory report or a table: `Crea 2.1 mg/dL`, side by side or one per
 * line; a row of names above a row of numbers; or five bare numbers in the order of the form. Decimal comma or point.
 * What is not understood is left out.
 */
export function parseLabRow(text: string): Partial<Record<FeatureKey, Entry>> {
  const lines = text
    .replaceAll("μ", "µ")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const header = lines.findIndex((line) => featuresIn(line).length > 1 && !/\d/.test(line));
  const values = lines[header + 1];
  if (header >= 0 && values !== undefined) return underHeader(lines[header] as string, values);
  return lines.some((line) => featuresIn(line).length > 0) ? besideNames(lines) : bareRow(text);
}

function featuresIn(line: string): FeatureKey[] {
  return usgFeatures
    .map(({ key }) => key)
    .filter((key) => new RegExp(`(?<!\\p{L})(?:${names[key]})(?!\\p{L})`, "iu").test(line));
}

function besideNames(lines: readonly string[]): Partial<Record<FeatureKey, Entry>> {
  const found: Partial<Record<FeatureKey, Entry>> = {};
  for (const { key } of usgFeatures) {
    const pattern = new RegExp(
      `(?<!\\p{L})(?:${names[key]})(?!\\p{L})(?:\\s*\\([^)]*\\))?[\\s;|:=<>*,]*${number}[\\s;|]*${unit}`,
      "iu",
    );
    const match = lines.map((line) => pattern.exec(line)).find((each) => each !== null);
    if (match?.groups?.["number"]) found[key] = entryOf(key, match.groups["number"], match.groups["unit"] ?? "");
  }
  return found;
}

function underHeader(header: string, values: string): Partial<Record<FeatureKey, Entry>> {
  const separator = /[\t;|]/.test(header) ? /[\t;|]/ : /\s+/;
  const cells = values.split(separator);
  const found: Partial<Record<FeatureKey, Entry>> = {};
  for (const [index, name] of header.split(separator).entries()) {
    const [key] = featuresIn(name);
    const match = new RegExp(`${number}\\s*${unit}`, "iu").exec(cells[index] ?? "");
    if (key && match?.groups?.["number"])
      found[key] = entryOf(key, match.groups["number"], match.groups["unit"] ?? /\(([^)]*)\)/.exec(name)?.[1] ?? name);
  }
  return found;
}

function bareRow(text: string): Partial<Record<FeatureKey, Entry>> {
  const numbers = text
    .trim()
    .split(/[\t;|]|\s+/)
    .filter((cell) => /^\d+(?:[.,]\d+)?$/.test(cell));
  if (numbers.length !== usgFeatures.length) return {};
  return Object.fromEntries(usgFeatures.map(({ key }, index) => [key, entryOf(key, numbers[index] as string, "")]));
}

function entryOf(key: FeatureKey, text: string, unitText: string): Entry {
  const plain = text.replace(",", ".");
  if (secondUnits[key].test(unitText.trim())) return { text: plain, unit: 1 };
  const isSaid = key !== "age_months" || Number(plain) > mostYears || /mon|mois|\bmo?\b/i.test(unitText);
  return { text: plain, unit: isSaid ? 0 : null };
}
