import path from "node:path";

/** Returns a name that is unique within a run. Ignores case, as Windows and macOS do. Adds the name to `taken`. */
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
