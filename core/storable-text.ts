/** Text that every store can keep and read: no U+0000, and U+FFFD for half of a surrogate pair. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The same for every text of a value that is JSON. */
export function storableValue<Value>(value: Value): Value {
  const said = JSON.stringify(value, (_name, part: unknown) => (typeof part === "string" ? storableText(part) : part));
  return JSON.parse(said) as Value;
}
