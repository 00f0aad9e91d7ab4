import type { ServerResponse } from "node:http";
import type { ServiceContext } from "../services/measuring/service-context.ts";
import type { Caller } from "../store/people/api-keys.ts";
import type { RequestLog } from "./requests/request-log.ts";
import type { ServerLimits } from "./server-limits.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly context: ServiceContext;
    readonly limits: ServerLimits;
    readonly configuredHosts: readonly string[];
    readonly requestLog: RequestLog;
    readonly openResponses: Set<ServerResponse>;
    /** Pending store writes for responses that were delivered or lost. */
    readonly settling: Set<Promise<void>>;
    /** Aborted when the grace period of a stopping service ends. */
    readonly stopping: AbortController;
  }
  interface FastifyContextConfig {
    /** A route of the program's own page: not a call that the request log is for. */
    readonly isOwnPage?: boolean;
  }
  interface FastifyRequest {
    /** Who calls; null before the key is checked and on routes without one. */
    caller: Caller | null;
    /** Long strings of the body, by placeholder. */
    longTexts: Map<string, Buffer>;
    /** Releases the body's bytes. */
    releaseBody: () => void;
    /** Stops the work for this request; null while none was begun. */
    workSignal: AbortSignal | null;
  }
}
