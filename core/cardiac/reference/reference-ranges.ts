/** The scores that have reference values. */
export type ReferencedScore = "vhs" | "vlas";

/** What a reader should know of a source besides where it was printed. */
export type SourceRemark = "right_lateral" | "twenty_dogs" | "vendor_sheet";

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
  readonly score: ReferencedScore;
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

const buchanan = published("Buchanan & Bücheler 1995, J Am Vet Med Assoc 206:194–199", "PMID 7751220");
const malcolm = published("Malcolm et al. 2018, J Am Vet Med Assoc 253:1038–1045", "doi:10.2460/javma.253.8.1038");
const bagardi = published("Bagardi et al. 2022, Vet Radiol Ultrasound 63:156–163", "PMC9299495");
const brittany = published("Vet Sci 2021, 8:300", "doi:10.3390/vetsci8120300", "right_lateral");
const luciani = published(
  "Luciani et al. 2019, Anat Histol Embryol 48:264–267",
  "doi:10.1111/ahe.12434",
  "twenty_dogs",
);
const bodh = published("Bodh et al. 2016, Vet World 9:371–376", "PMC4864478", "right_lateral");
const sheet: ReferenceSource = { citation: null, identifier: null, remark: "vendor_sheet", isPeerReviewed: false };

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

const general: readonly ReferenceRange[] = [
  {
    score: "vhs",
    breed: null,
    mean: 9.7,
    standardDeviation: 0.5,
    low: 8.5,
    high: 10.5,
    band: "published_limits",
    source: buchanan,
  },
  {
    score: "vlas",
    breed: null,
    mean: null,
    standardDeviation: null,
    low: null,
    high: 2.5,
    band: "published_limits",
    source: malcolm,
  },
];

const ofBreeds: readonly ReferenceRange[] = [
  ofMean("vhs", "cavalier_king_charles_spaniel", 10.08, 0.56, bagardi),
  ofMean("vlas", "cavalier_king_charles_spaniel", 1.79, 0.3, bagardi),
  ofMean("vhs", "brittany", 10.6, 0.2, brittany),
  ofMean("vhs", "australian_cattle_dog", 10.5, 0.4, luciani),
  ofMean("vhs", "labrador_retriever", 10.39, 0.19, bodh),
  ofMean("vhs", "indian_spitz", 10.21, 0.13, bodh),
  ofMean("vhs", "mongrel", 9.82, 0.21, bodh),
  ofSheet("boston_terrier", 10.3, 13.1),
  ofSheet("boxer", 10.8, 12.4),
  ofSheet("bulldog", 11, 14.4),
  ofSheet("pomeranian", 9.6, 11.4),
];

/**
 * The breed meant by what a clinic wrote; case, accents, spaces and hyphens do not matter.
 *
 * @returns null when there is no range for it
 */
export function breedOf(written: string): BreedKey | null {
  const wanted = plain(written);
  for (const key of Object.keys(breeds) as BreedKey[]) {
    if (plain(key) === wanted || breeds[key].some((name) => plain(name) === wanted)) return key;
  }
  return null;
}

/**
 * The range to compare a dog's score with: that of its breed, otherwise that of dogs in general.
 *
 * @param species  a cat has no canine range
 * @param breed    as the clinic wrote it
 */
export function referenceRangeFor(
  score: ReferencedScore,
  species: "dog" | "cat",
  breed: string,
): ReferenceRange | null {
  if (species !== "dog") return null;
  const key = breedOf(breed);
  const wanted = (range: ReferenceRange) => range.score === score;
  return ofBreeds.find((range) => wanted(range) && key !== null && range.breed === key) ?? general.find(wanted) ?? null;
}

/** Where a score lies relative to a range, both ends included in it. */
export function placeInRange(value: number, range: ReferenceRange): "below" | "within" | "above" {
  if (range.low !== null && value < range.low) return "below";
  return value > range.high ? "above" : "within";
}

function ofMean(
  score: ReferencedScore,
  breed: BreedKey,
  mean: number,
  standardDeviation: number,
  source: ReferenceSource,
): ReferenceRange {
  const limit = (sign: number) => Math.round((mean + sign * 2 * standardDeviation) * 100) / 100;
  return { score, breed, mean, standardDeviation, low: limit(-1), high: limit(1), band: "mean_2_sd", source };
}

function ofSheet(breed: BreedKey, low: number, high: number): ReferenceRange {
  return { score: "vhs", breed, mean: null, standardDeviation: null, low, high, band: "mean_1_sd", source: sheet };
}

function published(citation: string, identifier: string, remark: SourceRemark | null = null): ReferenceSource {
  return { citation, identifier, remark, isPeerReviewed: true };
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
