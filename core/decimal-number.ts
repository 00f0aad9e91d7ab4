const form = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Parses a decimal number with a point or a comma as decimal separator. Other spellings (`1.234,5`, `0x10`, `0.2 mm`)
 * are ambiguous or not numbers.
 *
 * @returns  NaN for any other text
 */
export function decimalNumber(text: string): number {
  return form.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
}
