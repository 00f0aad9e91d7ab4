/** A text in every language of the program. Leaving one out is a compile error. */
export type Message = { readonly en: string; readonly de: string };
/** The texts of one subject. */
export type MessageTable = Readonly<Record<string, Message>>;
/** Languages of the program. */
export type Language = keyof Message;
/** What replaces `{name}` in a text. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** The text in one language with its `{placeholders}` filled in; a placeholder without a value stays visible. */
export function fillMessage(message: Message, language: Language, values: MessageValues = {}): string {
  return message[language].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
