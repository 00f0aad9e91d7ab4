// As SQLite has them, so that both engines answer alike.

/** 0 or 1. */
export type Flag = number;
/** A value as its JSON text. */
export type Json = string;
