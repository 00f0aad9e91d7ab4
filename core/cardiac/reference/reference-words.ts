import type { Language, Message } from "../../message.ts";
import type { ReferenceRange, ReferenceSource, SourceRemark } from "./reference-range.ts";

/** What the band of a reference range is, the same on the page and on paper. */
export const bandMessages = {
  published_limits: { en: "published limits", de: "veröffentlichte Grenzen" },
  mean_2_sd: { en: "mean ± 2 SD", de: "Mittel ± 2 SD" },
  mean_1_sd: {
    en: "mean ± 1 SD: a third of healthy dogs lie outside",
    de: "Mittel ± 1 SD: ein Drittel gesunder Hunde liegt außerhalb",
  },
} as const satisfies Readonly<Record<ReferenceRange["band"], Message>>;

/** What there is to say of a source. */
const sourceMessages = {
  right_lateral: { en: "right lateral views", de: "rechtslaterale Aufnahmen" },
  twenty_dogs: { en: "20 healthy dogs", de: "20 gesunde Hunde" },
  vendor_sheet: { en: "Breed sheet of an equipment vendor", de: "Rassetabelle eines Geräteanbieters" },
  notPeerReviewed: { en: "source not peer-reviewed", de: "Quelle nicht begutachtet" },
} as const satisfies Readonly<Record<SourceRemark | "notPeerReviewed", Message>>;

/** A source in parts that follow each other: where it was printed, its identifier, and what there is to say of it. */
export function sourceParts(
  { citation, identifier, remark, isPeerReviewed }: ReferenceSource,
  language: Language,
): readonly string[] {
  const said = [
    citation,
    identifier,
    remark && sourceMessages[remark][language],
    isPeerReviewed ? null : sourceMessages.notPeerReviewed[language],
  ];
  return said.filter((part) => part !== null);
}
