import path from "node:path";

/**
 * Returns a file name that is unique within a run, so that films of the same name in different folders do not overwrite
 * each other's results. Ignores case, as Windows and macOS do.
 *
 * @param taken  names used in this run, in comparison form; the returned one is added
 */
export function uniqueFileName(wanted: string, taken: Set<string>): string {
  const { name, ext } = path.parse(wanted);
  let free = wanted;
  for (let number = 2; taken.has(compared(free)); number += 1) free = `${name}-${number}${ext}`;
  taken.add(compared(free));
  return free;
}

function compared(fileName: string): string {
  return fileName.normalize("NFC").toLowerCase();
}
