/** Simulated demonstration films. `monthsAgo` is their age relative to today. */
export const sampleFilms = [
  { file: "sample-1.jpg", sha256: "8eb2b48022809c57c3a10fc0feeb7cd55bb348f5c4e5f4a4a13235da1876b645", monthsAgo: 12 },
  { file: "sample-2.jpg", sha256: "ee9de1b85c5bbae047221a30285d82f860dee5c90d4925a09cfe0df725f460d8", monthsAgo: 0 },
] as const;

/** SHA-256 of the simulated films. */
export const sampleHashes = sampleFilms.map(({ sha256 }) => sha256);

/**
 * Whether a film is one of the simulated demonstration films. Compares bytes, so that a copy opened by hand is
 * recognised too. Such films are marked wherever they are shown and excluded from statistics and training exports.
 *
 * @param film  SHA-256 of the file, lower-case hexadecimal
 */
export function isSampleFilm({ sha256 }: { readonly sha256: string }): boolean {
  return sampleFilms.some((sample) => sample.sha256 === sha256);
}
