/** The value rounded to a number of decimals, halves away from zero; never -0. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale || 0;
}
