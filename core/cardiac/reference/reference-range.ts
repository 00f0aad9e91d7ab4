type SourceRemark = "limit_of_interface" | "right_lateral" | "right_to_left" | "twenty_dogs" | "with_french_bulldogs";

export type ReferenceSource = {
  /** As in a bibliography, the same in every language. */
  readonly citation: string;
  /** DOI, PubMed or PubMed Central identifier; null if the source has none. */
  readonly identifier: string | null;
  readonly remark: SourceRemark | null;
};

/** Values of healthy animals in lateral views [v]. */
export type ReferenceRange = {
  readonly species: "dog" | "cat";
  /** Key of the breed, or the clinic's spelling of it; null for all dogs or cats. */
  readonly breed: string | null;
  /** Limits of the displayed band [v]; `low` is null if only an upper limit is known. */
  readonly low: number | null;
  readonly high: number;
  /** The upper limit is not part of the range. */
  readonly isHighExcluded?: true;
  readonly band: "published_limits" | "mean_2_sd" | "clinic_limits";
  readonly source: ReferenceSource;
};

/** Breeds with a reference range, and the names that clinics may use for them. */
export const breeds = {
  cavalier_king_charles_spaniel: ["Cavalier King Charles Spaniel", "Cavalier", "CKCS"],
  brittany: ["Brittany", "Brittany Spaniel", "Epagneul Breton", "Épagneul Breton"],
  australian_cattle_dog: ["Australian Cattle Dog", "Cattle Dog", "Blue Heeler"],
  labrador_retriever: ["Labrador Retriever", "Labrador"],
  indian_spitz: ["Indian Spitz"],
  mongrel: ["Mongrel", "Mixed breed", "Crossbreed", "Mischling"],
  american_eskimo_dog: ["American Eskimo Dog", "American Eskimo"],
  american_pit_bull_terrier: ["American Pit Bull Terrier", "Pit Bull Terrier", "Pitbull", "Pit Bull"],
  beagle: ["Beagle"],
  boston_terrier: ["Boston Terrier"],
  boxer: ["Boxer", "Deutscher Boxer"],
  bulldog: ["Bulldog", "English Bulldog", "Englische Bulldogge", "Bouledogue anglais"],
  dachshund: ["Dachshund", "Dackel", "Teckel", "Dachshund (Standard)", "Standard Dachshund"],
  doberman: ["Doberman", "Dobermann", "Doberman Pinscher"],
  french_bulldog: ["French Bulldog", "Französische Bulldogge", "Bouledogue français"],
  german_shepherd: [
    "German Shepherd",
    "German Shepherd Dog",
    "Deutscher Schäferhund",
    "Schäferhund",
    "Berger allemand",
  ],
  lhasa_apso: ["Lhasa Apso"],
  maltese: ["Maltese", "Malteser", "Bichon maltais"],
  miniature_australian_shepherd: ["Miniature Australian Shepherd", "Miniature American Shepherd", "Mini Aussie"],
  miniature_schnauzer: ["Miniature Schnauzer", "Zwergschnauzer", "Schnauzer nain"],
  norwich_terrier: ["Norwich Terrier"],
  pomeranian: ["Pomeranian", "Zwergspitz", "Spitz nain"],
  poodle: ["Poodle", "Pudel", "Caniche"],
  pug: ["Pug", "Mops", "Carlin"],
  shih_tzu: ["Shih Tzu"],
  whippet: ["Whippet"],
  yorkshire_terrier: ["Yorkshire Terrier", "Yorkie"],
} as const;

export type BreedKey = keyof typeof breeds;

type PublishedLimits = Pick<ReferenceRange, "low" | "high" | "isHighExcluded">;

export function ofLimits(
  source: ReferenceSource,
  limits: PublishedLimits,
  breed: BreedKey | null = null,
): ReferenceRange {
  return { species: "dog", breed, ...limits, band: "published_limits", source };
}

export function ofCats(source: ReferenceSource, limits: PublishedLimits): ReferenceRange {
  return { ...ofLimits(source, limits), species: "cat" };
}

export function ofMean(
  breed: BreedKey,
  mean: number,
  standardDeviation: number,
  source: ReferenceSource,
): ReferenceRange {
  const limit = (sign: number) => Math.round((mean + sign * 2 * standardDeviation) * 100) / 100;
  return { species: "dog", breed, low: limit(-1), high: limit(1), band: "mean_2_sd", source };
}

export function published(
  citation: string,
  identifier: string | null,
  remark: SourceRemark | null = null,
): ReferenceSource {
  return { citation, identifier, remark };
}
