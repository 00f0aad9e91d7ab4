import type { z } from "zod";
import type { Permission } from "../people/roles.ts";

/** `enter`: available before sign-in. */
export type ChannelPermission = Permission | "enter";

/** Row of a channel: its schemas and every other property that the program and the page depend on. */
export type Channel<Request = never> = {
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  readonly permission: ChannelPermission | ((request: Request) => ChannelPermission);
  /** A call lasts until the work that it starts is done; no update is installed before. */
  readonly isLong?: true;
  /** The channel works on the temporary store while the database is unreachable; all others fail then. */
  readonly isAvailableWithoutDatabase?: true;
};

export type Channels = Readonly<Record<string, Channel>>;

/** Permission required for a call. `request` is the parsed request of the same channel. */
export function permissionOf({ permission }: Channel, request: unknown): ChannelPermission {
  return typeof permission === "function" ? permission(request as never) : permission;
}
