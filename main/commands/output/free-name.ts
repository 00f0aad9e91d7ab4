import path from "node:path";

/**
 * A file name that no other result of a run has: films of the same name in different folders do not overwrite each
 * other's results. Windows and macOS see no difference between upper and lower case.
 *
 * @param taken  names that were given in this run, as compared; the free one is added
 */
export function freeName(wanted: string, taken: Set<string>): string {
  const { name, ext } = path.parse(wanted);
  let free = wanted;
  for (let number = 2; taken.has(compared(free)); number += 1) free = `${name}-${number}${ext}`;
  taken.add(compared(free));
  return free;
}

function compared(fileName: string): string {
  return fileName.normalize("NFC").toLowerCase();
}
