export const normal975 = 1.959963985;

/**
 * 97.5 % quantile of Student's t distribution for one or more degrees of freedom; absolute error below 0.000005.
 *
 * @see Hill 1970, Algorithm 396, Commun ACM 13:619–620
 */
export function studentT975(degrees: number): number {
  const outside = 0.05;
  if (degrees === 1) return 1 / Math.tan((outside * Math.PI) / 2);
  if (degrees === 2) return Math.sqrt(2 / (outside * (2 - outside)) - 2);
  const a = 1 / (degrees - 0.5);
  const b = 48 / a ** 2;
  const first = (((20700 * a) / b - 98) * a - 16) * a + 96.36;
  const d = ((94.5 / (b + first) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * degrees;
  const tail = (d * outside) ** (2 / degrees);
  if (tail <= a + 0.05) return Math.sqrt(degrees * farTail(tail, degrees, d));
  const x = -normal975;
  const c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + first;
  const y = x ** 2;
  const scaled = a * (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) ** 2 * y;
  return Math.sqrt(degrees * Math.expm1(scaled));
}

function farTail(y: number, degrees: number, d: number): number {
  const inner = 1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) + 0.5 / (degrees + 4);
  return ((inner * y - 1) * (degrees + 1)) / (degrees + 2) + 1 / y;
}
