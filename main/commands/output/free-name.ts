import path from "node:path";

/**
 * A file name that no other result of a run has: films of the same name in different folders do not overwrite each
 * other's results.
 *
 * @param taken  names that were given in this run; the free one is added
 */
export function freeName(wanted: string, taken: Set<string>): string {
  const { name, ext } = path.parse(wanted);
  let free = wanted;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}${ext}`;
  taken.add(free);
  return free;
}
