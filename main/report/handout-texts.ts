import { languages, type Language } from "../../core/language/languages.ts";
import { sayIn, type Say } from "../../core/language/say.ts";

export type Words = {
  readonly say: Say;
  /** With a fixed number of decimals; a dash for null. */
  number(value: number | null, decimals: number): string;
  date(at: Date): string;
  dateTime(at: Date): string;
};

export function wordsOf(language: Language): Words {
  const say = sayIn(language);
  const { locale } = languages[language];
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const times = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const number: Words["number"] = (value, decimals) =>
    value === null
      ? "–"
      : new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
          value,
        );
  return {
    say,
    number,
    date: (at) => dates.format(at),
    dateTime: (at) => `${dates.format(at)}, ${times.format(at)}`,
  };
}
