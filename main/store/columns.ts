// Same form as in SQLite, so that both engines return the same values.

export type Flag = number;
export type Json = string;
