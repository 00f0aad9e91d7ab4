import { usgFeatures, type FeatureKey } from "../../core/usg/features.ts";
import { numberOf, unitsOf, type Entry } from "./units.ts";

/** How laboratories name the values, in capitals and without marks. */
const aliases: Readonly<Record<string, FeatureKey>> = {
  BUN: "BUN", UREA: "BUN", UREAN: "BUN", HARNSTOFF: "BUN", HARNSTOFFN: "BUN",
  CREATININE: "CREATININE", CREA: "CREATININE", CREAT: "CREATININE", CRE: "CREATININE", KREATININ: "CREATININE", KREA: "CREATININE",
  HGB: "HGB", HB: "HGB", HAEMOGLOBIN: "HGB", HEMOGLOBIN: "HGB", HAMOGLOBIN: "HGB",
  LYMPHOCYTES: "ABSOLUTE LYMPHOCYTES", ABSOLUTELYMPHOCYTES: "ABSOLUTE LYMPHOCYTES", LYMPHOCYTESABSOLUTE: "ABSOLUTE LYMPHOCYTES", ABSLYMPHOCYTES: "ABSOLUTE LYMPHOCYTES",
  LYM: "ABSOLUTE LYMPHOCYTES", LYMPH: "ABSOLUTE LYMPHOCYTES", LYMPHS: "ABSOLUTE LYMPHOCYTES", LYMPHOZYTEN: "ABSOLUTE LYMPHOCYTES", LYMPHOZYTENABSOLUT: "ABSOLUTE LYMPHOCYTES",
  AGE: "age_months", AGEMONTHS: "age_months", AGEYEARS: "age_months", ALTER: "age_months",
};

/** Spellings of the second unit of each value; anything else is read as the unit of the service. */
const secondUnits: Readonly<Record<FeatureKey, RegExp>> = {
  BUN: /mmol/i,
  CREATININE: /[uµμ]mol/i,
  HGB: /g\/l\b/i,
  "ABSOLUTE LYMPHOCYTES": /k\/|10\^?[39]|10e[39]|x10|tsd|G\/l/i,
  age_months: /years?|jahre?|\by\b|\bj\b/i,
};

/**
 * Reads values out of a text copied from a laboratory report or a table: `Crea 2.1 mg/dL`, one per line or side by side, a header row above a
 * row of numbers, or five bare numbers in the order of the form. Decimal comma or point. What is not understood is left out.
 */
export function parseLabRow(text: string): Partial<Record<FeatureKey, Entry>> {
  const cells = cellsOf(text);
  const names = cells.map(featureNamed);
  if (names.every((name) => name === null)) return bareRow(cells);
  const firstNumber = cells.findIndex((cell) => numberIn(cell) !== null);
  const header = names.slice(0, firstNumber === -1 ? undefined : firstNumber);
  const isTable = header.filter((name) => name !== null).length > 1;
  return isTable ? underHeader(header, cells.slice(firstNumber)) : besideNames(cells, names);
}

function cellsOf(text: string): string[] {
  const separator = /[\t;|]/.test(text) ? /[\t;|\r\n]+/ : /[\r\n]+|,\s+|\s{2,}|\s+(?=\p{L}{2,}[\s:=]*[\d<>])|\s+(?=[\d.,]+(?:\s|$))/u;
  return text.split(separator).flatMap(splitPair).map((cell) => cell.trim()).filter(Boolean);
}

/** `Crea: 2.1 mg/dL` holds a name and a value. */
function splitPair(cell: string): string[] {
  const pair = /^\s*(\p{L}[\p{L}\s.()/-]*?)\s*[:=\s]\s*([<>]?\s*[\d.,]+.*)$/u.exec(cell);
  return pair ? [pair[1] as string, pair[2] as string] : [cell];
}

function featureNamed(cell: string): FeatureKey | null {
  const plain = cell.normalize("NFKD").replace(/\([^)]*\)/g, "").replace(/[^\p{L}]/gu, "").toUpperCase();
  return aliases[plain] ?? null;
}

function numberIn(cell: string): string | null {
  const match = /^[<>]?\s*(\d+(?:[.,]\d+)?)/.exec(cell.trim());
  return match?.[1] && numberOf(match[1]) !== null ? match[1].replace(",", ".") : null;
}

function entryOf(key: FeatureKey, cell: string, name: string): Entry | null {
  const text = numberIn(cell);
  if (text === null) return null;
  const isSecond = secondUnits[key].test(cell.replace(/^[<>\s\d.,]+/, "")) || secondUnits[key].test(name);
  return { text, unit: isSecond && unitsOf[key].length > 1 ? 1 : 0 };
}

function underHeader(header: readonly (FeatureKey | null)[], values: readonly string[]): Partial<Record<FeatureKey, Entry>> {
  const found: Partial<Record<FeatureKey, Entry>> = {};
  for (const [index, key] of header.entries()) {
    const entry = key && entryOf(key, values[index] ?? "", "");
    if (key && entry) found[key] = entry;
  }
  return found;
}

function besideNames(cells: readonly string[], names: readonly (FeatureKey | null)[]): Partial<Record<FeatureKey, Entry>> {
  const found: Partial<Record<FeatureKey, Entry>> = {};
  for (const [index, key] of names.entries()) {
    if (!key || found[key]) continue;
    // The unit may stand in a cell of its own behind the value.
    const unit = cells[index + 2] && numberIn(cells[index + 2] as string) === null && names[index + 2] === null ? ` ${cells[index + 2]}` : "";
    const entry = entryOf(key, (cells[index + 1] ?? "") + unit, cells[index] ?? "");
    if (entry) found[key] = entry;
  }
  return found;
}

function bareRow(cells: readonly string[]): Partial<Record<FeatureKey, Entry>> {
  const numbers = cells.map(numberIn).filter((text) => text !== null);
  if (numbers.length < usgFeatures.length) return {};
  return Object.fromEntries(usgFeatures.map(({ key }, index) => [key, { text: numbers[index] as string, unit: 0 as const }]));
}
