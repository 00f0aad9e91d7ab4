import type { z } from "zod";
import type { Permission } from "../people/roles.ts";

/** `enter`: available before sign-in. */
export type ChannelPermission = Permission | "enter";

/** Row of a channel: everything that the program and the page depend on, next to its schemas. */
export type Channel<Request = never> = {
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  readonly permission: ChannelPermission | ((request: Request) => ChannelPermission);
  /** A call lasts as long as the work it starts; until it ends, no update is installed. */
  readonly isLong?: true;
  /** Opens, measures, shows or prints films on the temporary store; all others fail while the database is away. */
  readonly isAvailableWithoutDatabase?: true;
  /** Equal calls of a page share one response while they are pending, so that a double click adds one row. */
  readonly isCoalesced?: true;
};

export type Channels = Readonly<Record<string, Channel>>;

/** Permission that a call with this request requires. `request` is the parsed request of the same channel. */
export function permissionOf({ permission }: Channel, request: unknown): ChannelPermission {
  return typeof permission === "function" ? permission(request as never) : permission;
}
