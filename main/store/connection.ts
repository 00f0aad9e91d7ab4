import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

declare const readable: unique symbol;
declare const writable: unique symbol;

/** Read access to a store, independent of the engine. */
export type ReadableDb = Kysely<Tables> & { readonly [readable]: true };

export type WritableDb = ReadableDb & { readonly [writable]: true };
