/** Text scale of this display, by which graphics next to text are scaled too. */
export function letterScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
