import type { FeatureKey } from "../../../core/usg/features.ts";
import { monthsOfParts } from "../age-in-parts.ts";
import { unitsOf, type Unit } from "./units.ts";

export type NumberSigns = { readonly decimal: string; readonly group: string };

/** `unit`: index into the units of the feature; null without one. */
export type TypedQuantity = { readonly value: number; readonly unit: 0 | 1 | null };

/**
 * Further units, converted to the service's unit when read. Haemoglobin in mmol/L counts one haem group, as reported by
 * laboratories in the Netherlands and Germany (16.114 g/L per mmol/L); creatinine has 113.12 g/mol.
 */
export const furtherUnits: Partial<Record<FeatureKey, readonly Unit[]>> = {
  CREATININE: [
    { name: "mg/L", spelling: /^mg\/l$/i, factor: 0.1 },
    { name: "mmol/L", spelling: /^mmol\/l$/i, factor: 1000 / 88.4 },
  ],
  HGB: [{ name: "mmol/L", spelling: /^mmol\/l$/i, factor: 1.6114 }],
};

/** A bare age above this is in months, as no cat reaches it in years. */
const maxYears = 30;

/** Unit that the size of a number without one shows; null if it shows none. */
export function unitOfBare(key: FeatureKey, value: number): 0 | null {
  return key === "age_months" && value > maxYears ? 0 : null;
}

/** `2 103/µL` is a power of ten that lost its superscript, not a number of four digits. */
export const spacedThousands = "[1-9]\\d{0,2}(?:[ \\u00a0\\u202f](?!10[39]\\/)\\d{3}(?!\\d))+";

const numberThenUnit = new RegExp(`^([+-]?(?:${spacedThousands}(?:[.,]\\d*)?|[\\d.,'’]*\\d[.,]?))\\s*(\\S.*)?$`);

/**
 * Reads the input of a form field in the locale's number notation: `1,800` is 1800 in English and 1.8 in German,
 * `1.800` the reverse; a sign that cannot separate thousands is a decimal sign. A unit may follow. An age in two parts
 * (`11 y 3 mo`) is converted to months.
 *
 * @returns null for other text
 */
export function readQuantity(key: FeatureKey, text: string, signs: NumberSigns): TypedQuantity | null {
  const { value, unit: unitText } = partsOf(text, signs);
  const months = key === "age_months" ? monthsOfParts(plainText(text)) : null;
  if (months !== null) return { value: months, unit: 0 };
  if (value === null) return null;
  const spelt = unitText.replaceAll(" ", "");
  const further = furtherUnits[key]?.find(({ spelling }) => spelling.test(spelt));
  if (further) return { value: Number((value * further.factor).toPrecision(8)), unit: 0 };
  const unit = spelt === "" ? null : unitsOf[key].findIndex(({ spelling }) => spelling.test(spelt));
  if (unit === -1) return null;
  return { value, unit: unit === null || unit === 0 ? unit : 1 };
}

export function hasUnknownUnit(key: FeatureKey, text: string, signs: NumberSigns): boolean {
  const { value, unit } = partsOf(text, signs);
  return value !== null && /^([\p{L}%/]|x?10[\^e*]?\d)/iu.test(unit) && readQuantity(key, text, signs) === null;
}

function partsOf(text: string, signs: NumberSigns): { readonly value: number | null; readonly unit: string } {
  const [, number = "", unit = ""] = numberThenUnit.exec(plainText(text)) ?? [];
  return { value: numberIn(number, signs), unit };
}

/** Normalises signs and removes optional plural endings: `year(s)`. */
function plainText(text: string): string {
  return plainSigns(text.trim()).replace(/(?<=\p{L})\(\p{L}{1,2}\)/gu, "");
}

export function plainSigns(text: string): string {
  return text.replaceAll("μ", "µ").replaceAll("×", "x").replaceAll("³", "^3").replaceAll("⁹", "^9");
}

export function signsOf(locale: string): NumberSigns {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12345.6);
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { decimal: sign("decimal"), group: sign("group") };
}

function numberIn(text: string, { decimal, group }: NumberSigns): number | null {
  // Thousands are groups of three digits after one to three digits without a leading zero.
  const isGrouped = (signs: string) => new RegExp(`^[+-]?[1-9]\\d{0,2}([${signs}]\\d{3})+(?![\\d${signs}])`).test(text);
  const isSign = /[.,]/.test(group);
  const groups = [" \u00a0\u202f", "'’", ...(isSign ? [group] : [])].find(isGrouped);
  const rest = groups ? text.replace(new RegExp(`[${groups}]`, "g"), "") : text;
  const point = rest.replace(groups === group && decimal ? decimal : /[.,]/, ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(point) ? Number(point) : null;
}
