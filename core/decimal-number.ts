const form = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads a decimal number as devices write it: with a point, or with one comma in place of it. Other spellings
 * (`1.234,5`, `0x10`, `0.2 mm`) are ambiguous or no numbers.
 *
 * @returns NaN for any other text
 */
export function decimalNumber(text: string): number {
  return form.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
}
