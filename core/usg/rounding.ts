/** Rounds a value to a number of decimals, halves away from zero; never returns -0. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale || 0;
}
