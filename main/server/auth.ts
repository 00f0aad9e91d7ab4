import type { FastifyRequest } from "fastify";
import { AppError } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/contract/error-catalogue.ts";
import { findCaller } from "../services/calls/callers.ts";
import { noteRefusal } from "../services/people/refusals.ts";
import type { Caller } from "../store/people/api-keys.ts";

/** Returns an onRequest hook that checks the API key before the body is read; `missing`: error code without a key. */
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
  if (!request.caller) throw new Error(`${request.routeOptions.url} does not require a key`);
  return request.caller;
}
