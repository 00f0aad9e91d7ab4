/** A row of a table in the specification: a field and a check of its value. */
export type Row = readonly [field: string, holds: (value: unknown) => boolean];

export const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
export const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);
export const isNull = (value: unknown): boolean => value === null;
export const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
export const isFlag = (value: unknown): boolean => typeof value === "boolean";
export const isTier = (value: unknown): boolean => ["optimal", "good", "review"].includes(value as string);
export const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
export const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** `[date, number]` pairs; dates are ISO 8601 in UTC (decision Measurement). */
export const isHistory = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(([date, score]) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(date)) && isNumber(score));
export const isPng = (value: unknown): boolean =>
  typeof value === "string" && Buffer.from(value, "base64").subarray(1, 4).toString() === "PNG";
export const isJpeg = (value: unknown): boolean =>
  typeof value === "string" && Buffer.from(value, "base64").readUInt16BE() === 0xff_d8;
export const isFourCorners = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 4 &&
  value.every((corner) => Array.isArray(corner) && corner.length === 2 && corner.every(isNumber));
export const isOneOf =
  (...allowed: readonly unknown[]) =>
  (value: unknown): boolean =>
    allowed.includes(value);

export const fieldsOf = (rows: readonly Row[]): string[] => rows.map(([field]) => field).sort();
export const keysOf = (value: unknown): string[] => Object.keys(value as object).sort();
