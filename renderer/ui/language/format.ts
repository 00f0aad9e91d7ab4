import { shownChange, shownDecimals, shownScore } from "../../../core/cardiac/shown-score.ts";
import { keepUnits } from "../../../core/language/keep-units.ts";
import { languages, type Language } from "../../../core/language/languages.ts";
import { signedNumber } from "../../../core/language/signed-number.ts";
import { useLanguage } from "./language.ts";
import { withDecimalSign } from "./typed-number.ts";

type Formats = ReturnType<typeof createFormats>;

const made = new Map<string, Formats>();

export function formatsOf(language: Language, locale: string = languages[language].locale): Formats {
  const name = `${language} ${locale}`;
  // Cached, since creating the formats takes longer than rendering a row of the worklist.
  const formats = made.get(name) ?? createFormats(language, locale);
  made.set(name, formats);
  return formats;
}

function createFormats(language: Language, locale: string) {
  const number = (digits: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const inUnit = (unit: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const decimals = [0, 1, 2, 3, 4].map(number);
  const decimalSign = decimals[1]?.format(0.5).charAt(1) ?? ".";
  const day = new Intl.DateTimeFormat(locale, { year: "numeric", month: "2-digit", day: "2-digit" });
  const longDay = new Intl.DateTimeFormat(languages[language].locale, { dateStyle: "long", timeZone: "UTC" });
  const minute = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const money = new Intl.NumberFormat(locale, { style: "currency", currency: "USD" });
  const month = new Intl.DateTimeFormat(language, { year: "numeric", month: "long", timeZone: "UTC" });
  const shortMonth = new Intl.DateTimeFormat(language, { year: "numeric", month: "short", timeZone: "UTC" });
  const [kilobytes, megabytes] = [inUnit("kilobyte", 0), inUnit("megabyte", 1)];
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const number0 = (value: number, digits: number) => (decimals[digits] ?? number(digits)).format(value);
  const signed = (value: number, digits: number) => signedNumber(value, digits, number0);
  return {
    number: number0,
    /** Formats the content of a number field in the locale; other text is unchanged. */
    typed: (text: string) => withDecimalSign(text, decimalSign),
    /** A number with at most three decimals and no trailing zeros. */
    plain: (value: number) => plain.format(value),
    signed,
    /** A score or a limit in vertebrae; an em dash for none. */
    score: (value: number | null | undefined) =>
      value === null || value === undefined ? "—" : number0(shownScore(value), shownDecimals),
    /** Signed difference of two displayed scores. */
    scoreChange: (from: number, to: number) => signed(shownChange(from, to), shownDecimals),
    percent: (fraction: number, digits = 1) => keepUnits(`${number0(fraction * 100, digits)} %`),
    day: (iso: string) => day.format(new Date(iso)),
    /** Date with the name of the month. @param day  YYYY-MM-DD */
    longDay: (day: string) => longDay.format(new Date(day)),
    minute: (iso: string) => minute.format(new Date(iso)),
    clock: (iso: string) => clock.format(new Date(iso)),
    month: (period: string) => month.format(new Date(`${period}-01T00:00:00Z`)),
    /** Abbreviated month and year without a full stop: `Jun 2026`. */
    shortMonth: (iso: string) => shortMonth.format(new Date(iso)).replace(".", ""),
    cents: (cents: number) => money.format(cents / 100),
    bytes: (bytes: number) => keepUnits(bytes < 1e6 ? kilobytes.format(bytes / 1e3) : megabytes.format(bytes / 1e6)),
  };
}

export function useFormat(): Formats {
  return useLanguage(({ language, locale }) => formatsOf(language, locale));
}
