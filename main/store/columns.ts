// SQLite's representation, which PostgreSQL values are converted to.

export type Flag = number;
export type Json = string;
