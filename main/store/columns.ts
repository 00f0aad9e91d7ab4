// Same form as in SQLite, so that both engines return the same values.

export type Flag = number;
/** A value as its JSON text. */
export type Json = string;
