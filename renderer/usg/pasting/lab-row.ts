import { usgFeatures, type FeatureKey } from "../../../core/usg/features.ts";
import { isInUrine, isPlainUrea, namePattern } from "./lab-names.ts";
import { besidePattern, cellPattern, isDateRow, withoutStamps, withoutUnits } from "./lab-patterns.ts";
import { plainSigns, readQuantity, unitOfBare, type NumberSigns } from "../units/typed-quantity.ts";
import type { Entry } from "../units/units.ts";

/** Maximum length of parsed text [characters]; a report of one cat has a few thousand at most. */
export const maxPasteLength = 20_000;

/** Values found in a text, and values for which it states only a limit (`< 0.2`). */
type LabRow = { readonly found: Partial<Record<FeatureKey, Entry>>; readonly limits: readonly FeatureKey[] };
type Reading = Partial<Record<FeatureKey, Entry | "limit">>;
type Written = { readonly name: string; readonly number: string; readonly unit: string; readonly isLimit?: boolean };

/**
 * Reads values from a text copied from a laboratory report or a table: `Crea 2.1 mg/dL`, in one line or one per line; a
 * row of names above a row of numbers; or five bare numbers in the order of the form. Values in a unit unknown to their
 * field are omitted.
 */
export function parseLabRow(text: string, signs: NumberSigns): LabRow {
  const reading = readingOf(text, signs);
  return {
    found: Object.fromEntries(Object.entries(reading).filter(([, entry]) => entry !== "limit")) as LabRow["found"],
    limits: usgFeatures.map(({ key }) => key).filter((key) => reading[key] === "limit"),
  };
}

function readingOf(copied: string, signs: NumberSigns): Reading {
  const text = withoutStamps(plainSigns(copied.normalize("NFC")));
  const written = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  // With columns for several days, in either order, it is ambiguous which value is the latest.
  const lines = written.some(isDateRow) ? written.filter((line) => !hasSeveralValues(line)) : written;
  const header = lines.findIndex((line) => featuresIn(line).length > 1 && !/\d/.test(withoutUnits(line)));
  const [names, values] = header < 0 ? [] : lines.slice(header);
  const found = { ...besideNames(lines, signs), ...(names && values && underHeader(names, values, signs)) };
  return lines.some((line) => featuresIn(line).length > 0) ? found : bareRow(text, signs);
}

function hasSeveralValues(line: string): boolean {
  return line.split(/[\t;|]/).filter((cell) => /^\s*[<>]?\s*\d[\d.,]*\s*$/.test(cell)).length > 1;
}

function featuresIn(line: string): FeatureKey[] {
  return usgFeatures.map(({ key }) => key).filter((key) => new RegExp(namePattern(key), "iu").test(line));
}

/** Prefers the first value with a unit, then the first without, then a limit. */
function besideNames(lines: readonly string[], signs: NumberSigns): Reading {
  const found: Reading = {};
  for (const { key } of usgFeatures) {
    const pattern = besidePattern(key);
    const written = lines.flatMap((line) => [...line.matchAll(pattern)]).flatMap((match) => writtenBeside(key, match));
    const read = written.map((each) => ({ isSaid: each.unit !== "", entry: entryOf(key, each, signs) }));
    const readable = read.filter(({ entry }) => entry !== null);
    const values = readable.filter(({ entry }) => entry !== "limit");
    const entry = (values.find(({ isSaid }) => isSaid) ?? values[0] ?? readable[0])?.entry;
    if (entry) found[key] = entry;
  }
  return found;
}

function writtenBeside(key: FeatureKey, { groups = {} }: RegExpMatchArray): Written[] {
  const { name = "", bracket = "", limit = "", number = "", unit: behind = "", stamps, later } = groups;
  if (isInUrine(bracket) || (stamps && later)) return [];
  const said = [behind, bracket].find((text) => isUnit(key, text)) ?? "";
  return [{ name, number, unit: said, isLimit: limit !== "" }];
}

/** Whether a word after a number is meant as a unit, known or not, rather than as the next name or a remark. */
function isUnit(key: FeatureKey, word: string): boolean {
  if (key !== "age_months") return /[%/]|mol|^[kmunpfµ]?[glu]$/i.test(word);
  // `m` can mean male as well as month, unless more parts of an age follow.
  return /^(?:mo|mth|m\P{L}+\d|y|j|ans?\b|ann[ée]e|a\b|w|d|tag|sem)/iu.test(word);
}

function underHeader(header: string, values: string, signs: NumberSigns): Reading {
  const separator = /[\t;|]/.test(header) ? /[\t;|]/ : null;
  const [names, cells] = [header, values].map((line) => cellsOf(line, separator)) as [string[], string[]];
  // Separated by spaces, columns can be assigned only if their numbers are equal.
  if (separator === null && names.length !== cells.length) return {};
  const found: Reading = {};
  for (const [index, name] of names.entries()) {
    const [key] = featuresIn(name);
    const { number = "", limit = "", unit: behind } = cellPattern.exec((cells[index] ?? "").trim())?.groups ?? {};
    if (!key || number === "") continue;
    const { isOfUrine, ...above } = writtenAbove(key, name);
    if (isOfUrine) continue;
    const entry = entryOf(key, { ...above, number, unit: behind || above.unit, isLimit: limit !== "" }, signs);
    if (entry) found[key] = entry;
  }
  return found;
}

function cellsOf(line: string, separator: RegExp | null): string[] {
  if (separator) return line.split(separator);
  const joined = line.replace(
    /\s*([([])([^()[\]]*)/g,
    (_, open: string, inside: string) => open + inside.replace(/\s/g, ""),
  );
  return joined.trim().split(/\s+/);
}

function writtenAbove(key: FeatureKey, head: string): Omit<Written, "number"> & { readonly isOfUrine: boolean } {
  const match = new RegExp(namePattern(key), "iu").exec(head);
  const rest = head
    .slice((match?.index ?? 0) + (match?.[0].length ?? 0))
    .replace(/[()[\]_:.]/g, " ")
    .trim();
  return { name: match?.groups?.["name"] ?? "", unit: isUnit(key, rest) ? rest : "", isOfUrine: isInUrine(rest) };
}

function bareRow(text: string, signs: NumberSigns): Reading {
  const cells = cellsOf(text.trim(), /[\t;|]/.test(text.trim()) ? /\s*[\t;|]\s*/ : null);
  if (cells.length !== usgFeatures.length || !cells.every((cell) => /^\d[\d.,'’ \u00a0\u202f]*$/.test(cell))) return {};
  const entries = usgFeatures.map(({ key }, index) => {
    const entry = entryOf(key, { name: key, number: cells[index] as string, unit: "" }, signs);
    return entry ? [[key, entry]] : [];
  });
  return Object.fromEntries(entries.flat());
}

function entryOf(key: FeatureKey, written: Written, signs: NumberSigns): Entry | "limit" | null {
  const quantity = readQuantity(key, `${written.number} ${written.unit}`, signs);
  if (quantity === null || (isPlainUrea(written.name) && quantity.unit !== 1)) return null;
  if (written.isLimit) return "limit";
  const unit = quantity.unit ?? unitOfBare(key, quantity.value);
  return { text: String(quantity.value), unit, ...(quantity.unit !== null && { isStated: true }) };
}
