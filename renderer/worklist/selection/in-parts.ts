/** Maximum number of films in one request. */
const maxConcurrent = 1000;

export function inParts(filmIds: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(filmIds.length / maxConcurrent) }, (_, part) =>
    filmIds.slice(part * maxConcurrent, (part + 1) * maxConcurrent),
  );
}
