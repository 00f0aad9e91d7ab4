import type { ServerResponse } from "node:http";
import type { AnsweredRequest } from "../../core/contract/desktop/program.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";
import type { Caller } from "../store/people/api-keys.ts";
import type { ServerLimits } from "./server-limits.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly context: ServiceContext;
    readonly limits: ServerLimits;
    /** Answered requests of other programs, oldest first. */
    readonly recentRequests: AnsweredRequest[];
    readonly openResponses: Set<ServerResponse>;
    /** Pending store writes for responses that were delivered or lost. */
    readonly settling: Set<Promise<void>>;
    /** Aborted when the grace period of a stopping service ends. */
    readonly stopping: AbortController;
  }
  interface FastifyContextConfig {
    /** Whether the route belongs to Corvet's own page; its requests are not logged. */
    readonly isOwnPage?: boolean;
  }
  interface FastifyRequest {
    /** null before the key is checked, and on routes without a key. */
    caller: Caller | null;
    longTexts: Map<string, Buffer>;
    releaseBody: () => void;
    /** Aborts the work for this request; null before work starts. */
    workSignal: AbortSignal | null;
  }
}
