import type { ReviewReason } from "../../core/cardiac/confidence.ts";
import type { ReferenceRange, ReferenceSource } from "../../core/cardiac/reference/reference-range.ts";
import { bandMessages, sourceParts } from "../../core/cardiac/reference/reference-words.ts";
import { reviewReasonText } from "../../core/cardiac/review-reason-text.ts";
import { edgesOutsideText } from "../../core/cardiac/within-picture.ts";
import type { Reading } from "../../core/contract/desktop/films.ts";
import { fillMessage, type MessageTable, type MessageValues } from "../../core/message.ts";
import type { HandOutLanguage } from "./hand-out.ts";
import { hasScore } from "./reading-words.ts";

/** Words of the hand-out. */
const handOutTexts = {
  title: { en: "Heart size on the chest radiograph", de: "Herzgröße im Röntgenbild" },
  about_vhs: {
    en: "The vertebral heart score (VHS) adds the long and the short axis of the heart, each laid along the spine from the fourth thoracic vertebra (T4) and counted in vertebrae (v).",
    de: "Der Vertebral Heart Score (VHS) zählt Längs- und Querachse des Herzens zusammen, jede ab dem vierten Brustwirbel (T4) an der Wirbelsäule abgetragen und in Wirbeln (v) gezählt.",
  },
  about_vlas: {
    en: "VLAS is the length of the left atrium, counted in the same way.",
    de: "VLAS ist die Länge des linken Vorhofs, ebenso gezählt.",
  },
  patient: { en: "Patient", de: "Patient" },
  animal: { en: "Species, breed", de: "Tierart, Rasse" },
  owner: { en: "Owner", de: "Besitzer" },
  identifier: { en: "Patient number", de: "Patientennummer" },
  taken: { en: "Radiograph taken", de: "Aufnahme vom" },
  read: { en: "Measured", de: "Gemessen" },
  reader: { en: "Read by", de: "Befundet von" },
  file: { en: "Film", de: "Aufnahme" },
  program: { en: "the program", de: "dem Programm" },
  dog: { en: "Dog", de: "Hund" },
  cat: { en: "Cat", de: "Katze" },
  vhs: { en: "Vertebral heart score (VHS)", de: "Vertebral Heart Score (VHS)" },
  vlas: { en: "Left atrial size (VLAS)", de: "Linker Vorhof (VLAS)" },
  longAxis: { en: "Long axis", de: "Längsachse" },
  shortAxis: { en: "Short axis", de: "Querachse" },
  long: { en: "Long", de: "Längs" },
  short: { en: "Short", de: "Quer" },
  angle: { en: "Angle of the axes", de: "Winkel der Achsen" },
  notMeasured: { en: "not measured", de: "nicht gemessen" },
  noValues: { en: "No values", de: "Keine Werte" },
  reference: { en: "Reference", de: "Referenz" },
  generalDogs: { en: "dogs in general", de: "Hunde allgemein" },
  upTo: { en: "up to {high} v", de: "bis {high} v" },
  fromTo: { en: "{low}–{high} v", de: "{low}–{high} v" },
  below: { en: "below the range", de: "unter dem Bereich" },
  within: { en: "within the range", de: "im Bereich" },
  above: { en: "above the range", de: "über dem Bereich" },
  noReference: { en: "no reference range", de: "kein Referenzbereich" },
  sources: { en: "Reference values", de: "Referenzwerte" },
  optimal: { en: "Optimal confidence", de: "Vertrauen: optimal" },
  good: { en: "Good confidence", de: "Vertrauen: gut" },
  review: { en: "Low confidence, to be reviewed", de: "Vertrauen: gering, zu prüfen" },
  optimalMeaning: { en: "The networks agree closely.", de: "Die Netze stimmen gut überein." },
  goodMeaning: { en: "The networks agree.", de: "Die Netze stimmen überein." },
  reviewMeaning: {
    en: "The networks disagree or the ruler is uncertain.",
    de: "Die Netze sind uneins oder das Wirbelmaß ist unsicher.",
  },
  photograph: { en: "Read on a photograph of a screen.", de: "Auf dem Foto eines Bildschirms gemessen." },
  fallback: { en: "Ruler: A to B in six equal parts.", de: "Wirbelmaß: A bis B in sechs gleichen Teilen." },
  accepted: { en: "Accepted by {who}", de: "Bestätigt von {who}" },
  rejected: { en: "Rejected by {who}", de: "Verworfen von {who}" },
  corrected: { en: "Corrected by {who}", de: "Korrigiert von {who}" },
  by_hand: { en: "Measured by hand by {who}", de: "Von Hand gemessen von {who}" },
  proposal: {
    en: "Proposal of the program: {values}",
    de: "Vorschlag des Programms: {values}",
  },
  code_0: { en: "Abnormal result.", de: "Auffälliges Ergebnis." },
  code_5: { en: "Neither VHS nor VLAS could be calculated.", de: "Weder VHS noch VLAS waren berechenbar." },
  code_6: {
    en: "The picture was not recognised as a lateral chest radiograph.",
    de: "Das Bild wurde nicht als seitliche Thoraxaufnahme erkannt.",
  },
  code_7: {
    en: "A photograph of a screen was recognised, but the film in it was not found.",
    de: "Ein Bildschirmfoto wurde erkannt, die Aufnahme darin nicht gefunden.",
  },
  trend: { en: "Course", de: "Verlauf" },
  perMonth: { en: "{change} v per month", de: "{change} v im Monat" },
  remark: { en: "Remark", de: "Bemerkung" },
  overleaf: { en: "Continued on the next page.", de: "Fortsetzung auf der nächsten Seite." },
  date: { en: "Place, date", de: "Ort, Datum" },
  signature: { en: "Veterinarian", de: "Tierärztin/Tierarzt" },
  notValidated: {
    en: "Not clinically validated. Values are a proposal; diagnosis and treatment are the veterinarian’s.",
    de: "Nicht klinisch validiert. Die Werte sind ein Vorschlag; Diagnose und Behandlung sind Sache der Tierärztin oder des Tierarztes.",
  },
  byHandNotice: {
    en: "Points placed by a person; no network was used.",
    de: "Punkte von einer Person gesetzt; ohne Netz.",
  },
  printed: { en: "printed {when}", de: "gedruckt {when}" },
  missingLetters: {
    en: "Letters that no font of this computer has are printed as “?”: {letters}",
    de: "Zeichen, die keine Schrift dieses Rechners hat, sind als „?“ gedruckt: {letters}",
  },
} as const satisfies MessageTable;

/** Name of a text. */
type HandOutText = keyof typeof handOutTexts;

/** Words, numbers and dates of one language. */
export type Words = {
  say(text: HandOutText, values?: MessageValues): string;
  /** Why the film is to be reviewed, with figure, unit and limit. */
  reviewReason(reason: ReviewReason): string;
  /** Which edges of the ruler lie outside the film; empty when none does, or there are no values. */
  edgesOutside(reading: Reading): string;
  /** What the band of a reference range is. */
  band(band: ReferenceRange["band"]): string;
  /** Where a reference range comes from. */
  source(source: ReferenceSource): string;
  /** With a fixed number of decimals; a dash for null. */
  number(value: number | null, decimals: number): string;
  date(at: Date): string;
  dateTime(at: Date): string;
};

/** @param language of the hand-out */
export function wordsOf(language: HandOutLanguage): Words {
  const locale = language === "de" ? "de-DE" : "en-GB";
  const dates = new Intl.DateTimeFormat(locale, {
    day: "2-digit",
    month: language === "de" ? "2-digit" : "short",
    year: "numeric",
  });
  const times = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const number: Words["number"] = (value, decimals) =>
    value === null
      ? "–"
      : new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
          value,
        );
  return {
    say: (text, values) => fillMessage(handOutTexts[text], language, values),
    reviewReason: (reason) => reviewReasonText(reason, language, number),
    edgesOutside: (reading) =>
      (hasScore(reading) && reading.ruler ? edgesOutsideText(reading.ruler.edges, reading.frame, language) : null) ??
      "",
    band: (band) => fillMessage(bandMessages[band], language),
    source: (source) => sourceParts(source, language).join(", "),
    number,
    date: (at) => dates.format(at),
    dateTime: (at) => `${dates.format(at)}, ${times.format(at)}`,
  };
}
