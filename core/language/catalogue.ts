import type { english } from "./english.ts";

type English = typeof english;

/** The texts of one language: every key of the English ones. A key that is missing or misspelt does not compile. */
export type Catalogue = {
  readonly [Group in keyof English]: { readonly [Name in keyof English[Group]]: string };
};

/** Name of a text: `films.open`. */
export type TextKey = { [Group in keyof English]: `${Group}.${keyof English[Group] & string}` }[keyof English];

/** What has to be filled in: texts for `{name}`, numbers for `{count, plural, …}` and `{count, number}`. */
export type TextValues<Key extends TextKey> = keyof ValuesOf<Key> extends never ? never : ValuesOf<Key>;

/** Name of a text in which nothing has to be filled in. */
export type PlainKey = { [Key in TextKey]: keyof ArgumentsOf<EnglishText<Key>> extends never ? Key : never }[TextKey];

type ValuesOf<Key extends TextKey> = (
  Key extends TextKey ? (values: ArgumentsOf<EnglishText<Key>>) => void : never
) extends (values: infer All) => void
  ? All
  : never;

type EnglishText<Key extends TextKey> = Key extends `${infer Group extends keyof English}.${infer Name}`
  ? English[Group][Name & keyof English[Group]] & string
  : never;

/** Reads the arguments off an ICU message: the word behind each brace, unless it opens a branch of a plural. */
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
