/** What a reader should know of a source besides where it was printed. */
type SourceRemark = "right_lateral" | "twenty_dogs" | "vendor_sheet";

/** Where a reference value was published. */
export type ReferenceSource = {
  /** As lists of references have it, the same in every language; null for a source that was never published. */
  readonly citation: string | null;
  /** Digital object identifier, PubMed or PubMed Central id; null for a source that has none. */
  readonly identifier: string | null;
  readonly remark: SourceRemark | null;
  /** False for a vendor's sheet, whose cohort nobody can look up. */
  readonly isPeerReviewed: boolean;
};

/** Values of healthy dogs in lateral views [v]. */
export type ReferenceRange = {
  /** Key of the breed; null for dogs in general. */
  readonly breed: BreedKey | null;
  /** null where only a limit or a range was published. */
  readonly mean: number | null;
  readonly standardDeviation: number | null;
  /** Band to draw [v]; `low` null where only an upper limit is known. */
  readonly low: number | null;
  readonly high: number;
  /**
   * What the band is: limits as published, mean ± 2 SD computed here, or mean ± 1 SD, outside which every third healthy
   * dog lies.
   */
  readonly band: "published_limits" | "mean_2_sd" | "mean_1_sd";
  readonly source: ReferenceSource;
};

/** Breeds with a reference range, with the names under which a clinic may have written them. */
export const breeds = {
  cavalier_king_charles_spaniel: ["Cavalier King Charles Spaniel", "Cavalier", "CKCS"],
  brittany: ["Brittany", "Brittany Spaniel", "Epagneul Breton", "Épagneul Breton"],
  australian_cattle_dog: ["Australian Cattle Dog", "Cattle Dog", "Blue Heeler"],
  labrador_retriever: ["Labrador Retriever", "Labrador"],
  indian_spitz: ["Indian Spitz"],
  mongrel: ["Mongrel", "Mixed breed", "Crossbreed", "Mischling"],
  boston_terrier: ["Boston Terrier"],
  boxer: ["Boxer", "Deutscher Boxer"],
  bulldog: ["Bulldog", "English Bulldog", "Englische Bulldogge"],
  pomeranian: ["Pomeranian", "Zwergspitz"],
} as const;

/** Key of a breed with a reference range. */
export type BreedKey = keyof typeof breeds;

/** Limits as they were published. */
export function ofLimits(
  source: ReferenceSource,
  limits: Pick<ReferenceRange, "low" | "high"> & Partial<Pick<ReferenceRange, "mean" | "standardDeviation">>,
): ReferenceRange {
  return { breed: null, mean: null, standardDeviation: null, ...limits, band: "published_limits", source };
}

/** Mean ± 2 SD of a breed. */
export function ofMean(
  breed: BreedKey,
  mean: number,
  standardDeviation: number,
  source: ReferenceSource,
): ReferenceRange {
  const limit = (sign: number) => Math.round((mean + sign * 2 * standardDeviation) * 100) / 100;
  return { breed, mean, standardDeviation, low: limit(-1), high: limit(1), band: "mean_2_sd", source };
}

/** Mean ± 1 SD of a breed, from a vendor's sheet. */
export function ofSheet(breed: BreedKey, low: number, high: number): ReferenceRange {
  return { breed, mean: null, standardDeviation: null, low, high, band: "mean_1_sd", source: sheet };
}

/** A source that was printed where anybody can look it up. */
export function published(citation: string, identifier: string, remark: SourceRemark | null = null): ReferenceSource {
  return { citation, identifier, remark, isPeerReviewed: true };
}

const sheet: ReferenceSource = { citation: null, identifier: null, remark: "vendor_sheet", isPeerReviewed: false };

/** Cavaliers without heart disease: VHS and VLAS. */
export const bagardi = published("Bagardi et al. 2022, Vet Radiol Ultrasound 63:156–163", "PMC9299495");
