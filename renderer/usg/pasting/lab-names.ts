import type { FeatureKey } from "../../../core/usg/features.ts";

const urea = "UREA|HARNSTOFF|UR[ÉE]E";
const serum = "(?: (?:S[ÉE]RIQUE|PLASMATIQUE|SANGUINE))?";

const labNames: Readonly<Record<FeatureKey, string>> = {
  BUN: `BUN|(?:${urea})(?:[ -]?(?:N|NITROGEN|STICKSTOFF)|\\s*\\((?:BUN|N)\\))|AZOTE UR[ÉE]IQUE|(?:${urea})${serum}`,
  CREATININE: `(?:CR[ÉE]ATININE?|CR[ÉE]AT|CREA|CRE|KREATININ|KREA)${serum}`,
  HGB: "HGB|HB|HA?EMOGLOBIN|HÄMOGLOBIN|H[ÉE]MOGLOBINE",
  "ABSOLUTE LYMPHOCYTES": "(?:ABS(?:OLUTE|\\.)? )?LYM(?:PHS|PHO(?:CYTES|ZYTEN)|PH)?(?:,? ABS(?:OLUTE|OLUT|OLUS|\\.)?)?",
  age_months: "AGE|ÂGE|ALTER",
};

const anyName = Object.values(labNames).join("|");
const ratioSign = "(?:\\s*\\/\\s*|:|\\s+:\\s+)";

/** Excludes percentages (`% Lym`), parts of a ratio (`BUN/CREA`, `Kreatinin-Quotient`) and urine values (`U-Crea`). */
export function namePattern(key: FeatureKey): string {
  const before = `\\p{L}|\\p{L}[-–/]|(?:^|[^\\d\\s])\\s*%\\s*|(?:${anyName}|PROT\\p{L}*)${ratioSign}|URINE?\\s*`;
  const after = `\\p{L}|\\s*\\/\\s*\\p{L}|[-–]\\p{L}|${ratioSign}(?:${anyName})(?!\\p{L})|\\s*(?:RATIO|QUOT|RAPPORT)`;
  return `(?<!${before})(?<name>${labNames[key]})(?!${after})`;
}

export function isInUrine(behind: string): boolean {
  return /urin|(?<!\p{L})harn(?!stoff)|^\s*u(?![\p{L}/])/iu.test(behind);
}

/** Whether a name of `BUN` means urea rather than its nitrogen: the mass differs, the amount in moles does not. */
export function isPlainUrea(name: string): boolean {
  return new RegExp(`^(?:${urea})${serum}$`, "iu").test(name);
}
