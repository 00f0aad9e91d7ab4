import { usgFeatures, type FeatureKey } from "../../../core/usg/features.ts";
import { agePattern } from "../age-in-parts.ts";
import { isPlainUrea, namePattern } from "./lab-names.ts";
import { plainSigns, readQuantity, spacedThousands, type NumberSigns } from "../typed-quantity.ts";
import type { Entry } from "../units.ts";

type Found = Partial<Record<FeatureKey, Entry>>;
type Written = { readonly name: string; readonly number: string; readonly unit: string };

const digits = "\\d+(?:[.,'’]\\d+)*";
// Not a part of a longer number, of a power of ten or of a fraction, nor the lower end of a range.
const numberEnd = "(?!['’.,]?\\d|\\s?\\^\\d|[*e]\\d|\\s*[-–]\\s*\\d|\\s?(?:[¼½¾]|1\\/2))";
const range = "[([][\\d\\s.,<>–-]+[)\\]]|\\d[\\d.,]*\\s*[-–]\\s*\\d[\\d.,]*";
const flag = "[*+!↑↓-]+|\\(?(?:HIGH|LOW|HOCH|NIEDRIG|HAUT|BAS|[HLN])\\)?(?![\\p{L}/])";
const powerOfTen = "(?:[x*]\\s?)?10\\s?[\\^e*]?\\d{1,2}\\s?\\/\\s?\\p{L}+";
const unit = `(?<unit>${powerOfTen}|\\/(?:[uµn]l|mm\\^?3)(?!\\p{L})|[\\p{L}%]+\\.?(?:\\/(?:100\\s?)?\\p{L}+(?:\\^?3)?)?)?`;

/**
 * Reads values out of a text copied from a laboratory report or a table: `Crea 2.1 mg/dL`, side by side or one per
 * line; a row of names above a row of numbers; or five bare numbers in the order of the form. Numbers are read as the
 * locale writes them. What is not understood is left out, and so is a value in a unit that its field does not know.
 */
export function parseLabRow(text: string, signs: NumberSigns): Found {
  const lines = plainSigns(text.normalize("NFC"))
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const header = lines.findIndex((line) => featuresIn(line).length > 1 && !/\d/.test(withoutUnits(line)));
  const [names, values] = header < 0 ? [] : lines.slice(header);
  const found = { ...besideNames(lines, signs), ...(names && values && underHeader(names, values, signs)) };
  return lines.some((line) => featuresIn(line).length > 0) ? found : bareRow(text, signs);
}

function featuresIn(line: string): FeatureKey[] {
  return usgFeatures.map(({ key }) => key).filter((key) => new RegExp(namePattern(key), "iu").test(line));
}

function withoutUnits(line: string): string {
  return line.replace(/\([^)]*\)|\[[^\]]*\]/g, "").replace(new RegExp(powerOfTen, "giu"), "");
}

/** The first value in a unit that is said, or else the first without. */
function besideNames(lines: readonly string[], signs: NumberSigns): Found {
  const found: Found = {};
  for (const { key } of usgFeatures) {
    const pattern = besidePattern(key);
    const written = lines.flatMap((line) => [...line.matchAll(pattern)]).flatMap((match) => writtenBeside(key, match));
    const read = written.map((each) => ({ isSaid: each.unit !== "", entry: entryOf(key, each, signs) }));
    const readable = read.filter(({ entry }) => entry !== null);
    const entry = (readable.find(({ isSaid }) => isSaid) ?? readable[0])?.entry;
    if (entry) found[key] = entry;
  }
  return found;
}

function besidePattern(key: FeatureKey): RegExp {
  const bracket = "(?:\\s*[([](?<bracket>[^)\\]]*)[)\\]])?";
  const isCount = key === "ABSOLUTE LYMPHOCYTES";
  // Only a count has thousands, and its percentage may stand before it.
  const percentage = isCount ? "(?:\\d+(?:[.,]\\d+)?\\s*%[\\s;|:]*)?" : "";
  const grouped = isCount ? `${spacedThousands}(?:[.,]\\d+)?|` : "";
  const number = `(?<number>(?:${grouped}${digits})${numberEnd})`;
  const between = `(?:[\\s;|]*(?:${range}|${flag})){0,3}[\\s;|]*`;
  const after = key === "age_months" ? `(?<unit>${agePattern})?` : unit;
  return new RegExp(`${namePattern(key)}\\.?${bracket}[\\s;|:=<>*,#]*${percentage}${number}${between}${after}`, "giu");
}

function writtenBeside(key: FeatureKey, { groups = {} }: RegExpMatchArray): Written[] {
  const { name = "", bracket = "", number = "", unit: behind = "" } = groups;
  if (/urin/i.test(bracket)) return [];
  return [{ name, number, unit: [behind, bracket].find((text) => isUnit(key, text)) ?? "" }];
}

/** Whether a word is meant as a unit, be it known or not; otherwise it is the next name or a remark. */
function isUnit(key: FeatureKey, word: string): boolean {
  if (key !== "age_months") return /[%/]|mol|^[kmunpfµ]?[glu]$/i.test(word);
  // `m` is a male as well as a month, unless more of an age follows.
  return /^(?:mo|mth|m\P{L}+\d|y|j|ans?\b|ann[ée]e|a\b|w|d|tag|sem)/iu.test(word);
}

function underHeader(header: string, values: string, signs: NumberSigns): Found {
  const separator = /[\t;|]/.test(header) ? /[\t;|]/ : null;
  const [names, cells] = [header, values].map((line) => cellsOf(line, separator)) as [string[], string[]];
  // Between spaces nothing else says which number belongs to which name.
  if (separator === null && names.length !== cells.length) return {};
  const found: Found = {};
  for (const [index, name] of names.entries()) {
    const [key] = featuresIn(name);
    const cell = new RegExp(`^[<>*]*\\s*(?<number>[\\d.,'’ ]*\\d)(?:\\s*(?:${flag}))?\\s*(?<unit>\\D.*)?$`, "iu");
    const { number = "", unit: behind } = cell.exec((cells[index] ?? "").trim())?.groups ?? {};
    if (!key || number === "") continue;
    const entry = entryOf(key, { ...writtenAbove(key, name), number, ...(behind && { unit: behind }) }, signs);
    if (entry) found[key] = entry;
  }
  return found;
}

function cellsOf(line: string, separator: RegExp | null): string[] {
  if (separator) return line.split(separator);
  const joined = line.replace(
    /\s*([([])([^)\]]*)/g,
    (_, open: string, inside: string) => open + inside.replace(/\s/g, ""),
  );
  return joined.trim().split(/\s+/);
}

/** A column's name and the unit that stands behind it, in brackets or without. */
function writtenAbove(key: FeatureKey, head: string): Omit<Written, "number"> {
  const match = new RegExp(namePattern(key), "iu").exec(head);
  const rest = head
    .slice((match?.index ?? 0) + (match?.[0].length ?? 0))
    .replace(/[()[\]_:.]/g, " ")
    .trim();
  return { name: match?.groups?.["name"] ?? "", unit: isUnit(key, rest) ? rest : "" };
}

function bareRow(text: string, signs: NumberSigns): Found {
  const cells = cellsOf(text.trim(), /[\t;|]/.test(text.trim()) ? /\s*[\t;|]\s*/ : null);
  if (cells.length !== usgFeatures.length || !cells.every((cell) => /^\d[\d.,'’ \u00a0\u202f]*$/.test(cell))) return {};
  const entries = usgFeatures.map(({ key }, index) => {
    const entry = entryOf(key, { name: key, number: cells[index] as string, unit: "" }, signs);
    return entry ? [[key, entry]] : [];
  });
  return Object.fromEntries(entries.flat());
}

function entryOf(key: FeatureKey, { name, number, unit: said }: Written, signs: NumberSigns): Entry | null {
  const quantity = readQuantity(key, `${number} ${said}`, signs);
  if (quantity === null || (isPlainUrea(name) && quantity.unit !== 1)) return null;
  return { text: String(quantity.value), unit: quantity.unit ?? (key === "age_months" ? null : 0) };
}
