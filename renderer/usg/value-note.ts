import { ageText } from "../../core/age.ts";
import { languages } from "../../core/language/languages.ts";
import { usgFeatures, type FeatureKey } from "../../core/usg/features.ts";
import { shownCorrection } from "../../core/usg/unit-correction.ts";
import { useFormat } from "../ui/language/format.ts";
import { useLanguage, useText } from "../ui/language/language.ts";
import { numberOf } from "../ui/language/typed-number.ts";
import { furtherUnits, hasUnknownUnit, signsOf } from "./units/typed-quantity.ts";
import { isTaken, takenOf, unitsOf, type Entry } from "./units/units.ts";
import { useUnitText } from "./units/use-unit-text.ts";

type Note = { readonly note: string; readonly isFault: boolean };

export function useValueNote(key: FeatureKey, entry: Entry, isTyping: boolean): Note {
  const text = useText();
  const format = useFormat();
  const unitText = useUnitText();
  const { language, locale } = useLanguage();
  const { minimum = 0, maximum = Infinity } = usgFeatures.find((feature) => feature.key === key) ?? {};
  const { factor } = unitsOf[key][entry.unit ?? 0];
  const range = {
    from: format.plain(roundedInward(minimum / factor, Math.ceil)),
    to: format.plain(roundedInward(maximum / factor, Math.floor)),
    unit: unitText(key, entry.unit ?? 0),
  };
  const given = numberOf(entry.text);
  const taken = takenOf(key, entry);
  if (entry.text.trim() === "")
    return { note: key === "age_months" ? text("usg.ageNote") : text("usg.plausible", range), isFault: false };
  if (given === null) return { note: unreadable(), isFault: true };
  if (taken === null) return { note: text("usg.yearsOrMonths", { age: format.plain(given) }), isFault: true };
  if (!isTaken(key, entry)) return { note: text("usg.implausible", range), isFault: true };
  if (taken.explanation !== null) {
    const corrected = {
      meant: unitText(key, 1),
      taken: `${format.plain(shownCorrection(taken.value))} ${unitText(key)}`,
    };
    return { note: text("usg.willCorrect", corrected), isFault: false };
  }
  if (key === "age_months") return { note: `= ${ageInWords(Math.round(taken.value))}`, isFault: false };
  if (!isTyping) return { note: text("usg.plausible", range), isFault: false };
  return { note: `= ${format.plain(given)} ${unitText(key, entry.unit ?? 0)}`, isFault: false };

  function unreadable(): string {
    if (key === "age_months") return text("usg.notAge");
    if (!hasUnknownUnit(key, entry.text, signsOf(locale))) return text("usg.notNumber");
    const names = [unitText(key, 0), unitText(key, 1), ...(furtherUnits[key] ?? []).map(({ name }) => name)];
    const units = new Intl.ListFormat(languages[language].locale, { type: "disjunction" }).format(names);
    return text("usg.unknownUnit", { units });
  }

  function ageInWords(months: number): string {
    return ageText({ years: Math.floor(months / 12), months: months % 12 }, text);
  }
}

/** Rounds a limit to 2 or 3 digits so that the rounded limit itself is allowed. */
function roundedInward(limit: number, round: (value: number) => number): number {
  const step = 10 ** (Math.floor(Math.log10(limit)) - (limit < 10 ? 1 : 2));
  // Removes rounding errors of the unit conversion first.
  return Number((round(Number((limit / step).toPrecision(12))) * step).toPrecision(6));
}
