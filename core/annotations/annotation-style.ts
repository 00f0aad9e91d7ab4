/** Colour of annotations, `#rrggbb`: distinct from the colours of all measures, and in contrast to film and halo. */
export const annotationColour = "#ff9d73";

const lettersPerLine = 32;

/** Breaks a label into lines between words. Words longer than a line are split. */
export function labelLines(label: string): readonly string[] {
  const words = label.split(/\s+/).flatMap((word) => word.match(new RegExp(`.{1,${lettersPerLine}}`, "gu")) ?? []);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < lettersPerLine) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
