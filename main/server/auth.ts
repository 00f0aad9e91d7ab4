import type { FastifyRequest } from "fastify";
import { AppError } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/contract/error-catalogue.ts";
import { findCaller } from "../services/calls/callers.ts";
import { noteRefusal } from "../services/people/refusals.ts";
import type { Caller } from "../store/people/api-keys.ts";

/**
 * Returns a hook that lets a request through when its key is good; runs before the body is read. An unknown and a
 * revoked key are both INVALID_API_KEY.
 *
 * @param missing  error of a request without the header
 */
export function requireKey(missing: ErrorCode) {
  return async (request: FastifyRequest): Promise<void> => {
    const { context } = request.server;
    const presented = request.headers["x-api-key"];
    const caller = presented === undefined ? null : await findCaller(context, String(presented));
    if (!caller) {
      await noteRefusal(context, "key.refused");
      throw new AppError(presented === undefined ? missing : "INVALID_API_KEY");
    }
    request.caller = caller;
  };
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} is not behind a key`);
  return request.caller;
}
