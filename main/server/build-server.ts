import { randomUUID } from "node:crypto";
import { METHODS, type ServerResponse } from "node:http";
import Fastify, { type FastifyInstance } from "fastify";
import "./fastify-types.ts";
import { AppError } from "../../core/app-error.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";
import { noteRefusal } from "../services/people/refusals.ts";
import { registerBodyReader } from "./requests/body-reader.ts";
import { sendError } from "./errors.ts";
import { discardLateBody } from "./requests/lingering.ts";
import { createHostCheck } from "./host-check.ts";
import { registerV3 } from "./routes/v3.ts";
import { defaultLimits, type ServerLimits } from "./server-limits.ts";
import { createTransport } from "./transport.ts";
import type { TlsCredentials } from "./tls/tls.ts";
import { answerClientError } from "./client-errors.ts";
import { gonePaths } from "../../core/contract/v3/routes.ts";

/** Additional routes of the same listener, such as the desktop page or the USG service. */
export type RouteGroup = (app: FastifyInstance) => void | Promise<void>;

export type ServerOptions = {
  /** null for plain HTTP, for tests that inject requests. */
  readonly credentials: TlsCredentials | null;
  /** Host names accepted in addition to the loopback names. */
  readonly configuredHosts: readonly string[];
  /** Serves plain HTTP on the same port instead of redirecting it. */
  readonly isPlainHttpAllowed?: boolean;
  readonly routeGroups?: readonly RouteGroup[];
  readonly limits?: Partial<ServerLimits>;
};

const maxRecentRequests = 500;

/** Builds the service without listening; the result supports `inject`. See `listen`. */
export function buildServer(context: ServiceContext, options: ServerOptions): FastifyInstance {
  const limits = { ...defaultLimits, ...options.limits };
  const checkHost = createHostCheck(options.configuredHosts);
  const app: FastifyInstance = Fastify({
    serverFactory: (handler) => createTransport(handler, { ...options, limits, checkHost }),
    genReqId: () => randomUUID(),
    // Requests in flight when the service stops (SIGTERM) still receive their response.
    forceCloseConnections: false,
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    rewriteUrl: ({ url = "/" }) => readableUrl(url),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.decorate("context", context);
  app.decorate("limits", limits);
  app.decorate("recentRequests", []);
  followRequests(app);
  app.setErrorHandler(sendError);
  // Precedes the key check, so that a page of another origin cannot try keys or fill the list of refusals.
  app.addHook("onRequest", async (request) => {
    const fault = checkHost(request.raw);
    if (fault?.code === "WRONG_HOST") await noteRefusal(context, "host.refused");
    if (fault) throw fault;
    if (request.is404) throw new AppError("NOT_FOUND");
  });
  registerBodyReader(app, limits.bodiesBytes);
  registerGoneRoutes(app);
  registerV3(app);
  for (const group of options.routeGroups ?? []) app.register(async (instance) => group(instance));
  return app;
}

/** Escapes "%" in a URL with an invalid escape sequence, so that it gets the NOT_FOUND response of its service. */
function readableUrl(url: string): string {
  if (!url.includes("%")) return url;
  try {
    decodeURIComponent(url);
    return url;
  } catch {
    return url.replaceAll("%", "%25");
  }
}

function followRequests(app: FastifyInstance): void {
  const { context, limits, recentRequests } = app;
  app.decorate("openResponses", new Set<ServerResponse>());
  app.decorate("stopping", new AbortController());
  app.decorate("settling", new Set<Promise<void>>());
  app.addHook("onClose", async () => void (await Promise.all(app.settling)));
  app.decorateRequest("caller", null);
  app.decorateRequest("workSignal", null);
  app.decorateRequest("releaseBody", () => undefined);
  app.decorateRequest("longTexts");
  app.addHook("onRequest", async (request, reply) => {
    request.longTexts = new Map();
    app.openResponses.add(reply.raw);
    reply.raw.once("close", () => {
      app.openResponses.delete(reply.raw);
      request.releaseBody();
    });
  });
  app.addHook("onResponse", async (request, reply) => {
    request.releaseBody();
    discardLateBody(request.raw, limits.lingerMs);
    if (request.routeOptions.config.isOwnPage) return;
    recentRequests.push({
      at: new Date(context.now().getTime() - Math.round(reply.elapsedTime)).toISOString(),
      method: request.method,
      route: request.routeOptions.url ?? request.url.split("?", 1)[0] ?? "",
      status: reply.statusCode,
      elapsedMs: Math.round(reply.elapsedTime),
      keyId: request.caller?.keyId ?? null,
    });
    if (recentRequests.length > maxRecentRequests) recentRequests.shift();
  });
}

/** Routes of the previous major version respond 410 to every method, with or without a key. */
function registerGoneRoutes(app: FastifyInstance): void {
  for (const path of gonePaths) {
    app.all(
      path,
      {
        onRequest: async () => {
          throw new AppError("GONE");
        },
      },
      async () => undefined,
    );
  }
}
