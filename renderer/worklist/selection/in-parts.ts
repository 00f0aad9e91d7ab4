/** Maximum number of films in one request. */
const mostAtOnce = 1000;

export function inParts(filmIds: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(filmIds.length / mostAtOnce) }, (_, part) =>
    filmIds.slice(part * mostAtOnce, (part + 1) * mostAtOnce),
  );
}
