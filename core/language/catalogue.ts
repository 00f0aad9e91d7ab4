import type { english } from "./english.ts";

type English = typeof english;

/** Texts of one language, with the keys of the English catalogue: a missing or misspelt key does not compile. */
export type Catalogue = {
  readonly [Group in keyof English]: { readonly [Name in keyof English[Group]]: string };
};

export type TextKey = { [Group in keyof English]: `${Group}.${keyof English[Group] & string}` }[keyof English];

/** Arguments of a text: strings for `{name}`, numbers for `{count, plural, …}` and `{count, number}`. */
export type TextValues<Key extends TextKey> = keyof ValuesOf<Key> extends never ? never : ValuesOf<Key>;

export type PlainKey = { [Key in TextKey]: keyof ArgumentsOf<EnglishText<Key>> extends never ? Key : never }[TextKey];

type ValuesOf<Key extends TextKey> = (
  Key extends TextKey ? (values: ArgumentsOf<EnglishText<Key>>) => void : never
) extends (values: infer All) => void
  ? All
  : never;

type EnglishText<Key extends TextKey> = Key extends `${infer Group extends keyof English}.${infer Name}`
  ? English[Group][Name & keyof English[Group]] & string
  : never;

/** Arguments of an ICU message: the word after each opening brace, unless the brace opens a plural branch. */
type ArgumentsOf<Text extends string> = Text extends `${string}{${infer Rest}`
  ? FirstArgument<Rest> & ArgumentsOf<Rest>
  : unknown;

type FirstArgument<Rest extends string> = Rest extends `${infer Inside}}${string}`
  ? Inside extends `${infer Name}, ${infer Kind}`
    ? Kind extends `${"plural" | "number" | "selectordinal"}${string}`
      ? { readonly [Key in Name]: number }
      : Kind extends `select${string}`
        ? { readonly [Key in Name]: string }
        : unknown
    : Inside extends `${string}${" " | "#" | "{"}${string}`
      ? unknown
      : { readonly [Key in Inside]: string }
  : unknown;
