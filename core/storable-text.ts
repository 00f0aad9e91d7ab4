/** Removes U+0000 and replaces lone surrogates by U+FFFD, because not every database accepts them. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Applies `storableText` to every string in a JSON value. */
export function storableValue<Value>(value: Value): Value {
  const json = JSON.stringify(value, (_name, part: unknown) => (typeof part === "string" ? storableText(part) : part));
  return JSON.parse(json) as Value;
}
