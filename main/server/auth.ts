import type { FastifyRequest } from "fastify";
import { AppError } from "../../core/app-error.ts";
import { findCaller } from "../services/calls/callers.ts";
import { noteRefusal } from "../services/people/refusals.ts";
import type { Caller } from "../store/people/api-keys.ts";

/** The key that a request presents, null when it presents none. Header names are case-insensitive in HTTP. */
function presentedKey(request: FastifyRequest): string | null {
  const header = request.headers["x-api-key"];
  return typeof header === "string" && header !== "" ? header : null;
}

/**
 * Lets a request through when its key is good; runs before the body is read.
 *
 * @throws AppError INVALID_API_KEY, the same for a missing, unknown and revoked key
 */
export async function requireKey(request: FastifyRequest): Promise<void> {
  const { context } = request.server;
  const key = presentedKey(request);
  const caller = key === null ? null : await findCaller(context, key);
  if (!caller) {
    await noteRefusal(context, "key.refused");
    throw new AppError("INVALID_API_KEY");
  }
  request.caller = caller;
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} is not behind a key`);
  return request.caller;
}
