/** How much larger than usual this display writes: what is drawn beside letters goes along. */
export function letterScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
