import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import {
  usgCorsHeaders,
  usgErrorCodeOf,
  usgPrefix,
  usgServiceName,
  usgServiceVersion,
  type UsgError,
  type UsgHealth,
  type UsgPrediction,
  type UsgVersion,
} from "../../../core/contract/usg-v1.ts";
import { usgOpenApiDocument } from "../../../core/contract/usg-openapi.ts";
import { usgFeatures } from "../../../core/usg/features.ts";
import { roundTo } from "../../../core/usg/rounding.ts";
import { withdrawCharge } from "../../services/calls/delivery.ts";
import type { UsgScreening } from "../../services/calls/screen-usg.ts";
import { callerOf, requireKey } from "../auth.ts";
import type { RouteGroup } from "../build-server.ts";
import { settleOnDelivery } from "../delivery.ts";
import { answerOptions } from "../requests/answer-options.ts";
import { serverUrlOf } from "../server-url.ts";
import { asAppError, keepConnectionOpen, logFault, publicMessage } from "../errors.ts";

/** Far more than the five numbers and two names of a request need [bytes]. */
const bodyLimitBytes = 64 * 1024;

const methods = new Map([
  ["/health", ["GET", "HEAD", "OPTIONS"]],
  ["/version", ["GET", "HEAD", "OPTIONS"]],
  ["/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ["/predict", ["POST", "OPTIONS"]],
]);

/** Routes of the urine screening API. */
export function usgRoutes(screening: UsgScreening): RouteGroup {
  return async (app) => {
    await app.register((usg) => registerBelowPrefix(usg, screening), { prefix: usgPrefix });
  };
}

async function registerBelowPrefix(usg: FastifyInstance, screening: UsgScreening): Promise<void> {
  usg.addHook("onRequest", async (_request, reply) => void reply.headers(usgCorsHeaders));
  usg.addHook("onClose", async () => screening.close());
  usg.setErrorHandler(sendUsgError);
  usg.setNotFoundHandler(() => undefined);
  readBodiesAsJson(usg);

  usg.get("/health", (): UsgHealth => ({
    status: "ok",
    service: usgServiceName,
    model_version: screening.model().modelVersion,
    service_version: usgServiceVersion,
  }));
  usg.get("/version", (): UsgVersion => versionOf(screening));
  usg.get("/openapi.json", (request) => {
    const pack = screening.pack();
    const model = pack && { sgCutoff: pack.model.sgCutoff, release: pack.release };
    return usgOpenApiDocument(usg.context.programVersion, serverUrlOf(request), model);
  });
  // Pages may send x-api-key with every request, so health and version need a preflight response, too.
  for (const path of methods.keys()) answerOptions(usg, path);
  // Unlike /v3, this service distinguishes an absent key from an inactive one.
  const onRequest = [requireKey("MISSING_API_KEY"), parseAsJson];
  const checks = { onRequest, preValidation: requireBody, bodyLimit: bodyLimitBytes };
  usg.post("/predict", checks, (request, reply) => predict(request, reply, screening));
  refuseOtherMethods(usg);
}

/** Other methods on a known path get 405 with the allowed methods, regardless of key and body. */
function refuseOtherMethods(usg: FastifyInstance): void {
  for (const [path, allowed] of methods) {
    const method = usg.supportedMethods.filter((name) => !allowed.includes(name));
    const refuse = async (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
      reply.header("allow", allowed.join(", "));
      throw new AppError("METHOD_NOT_ALLOWED");
    };
    usg.route({ method, url: path, onRequest: refuse, handler: refuse });
  }
}

function versionOf(screening: UsgScreening): UsgVersion {
  const { modelVersion, thresholdImpaired, sgCutoff } = screening.model();
  return {
    service: usgServiceName,
    service_version: usgServiceVersion,
    model_version: modelVersion,
    features: usgFeatures.map(({ key }) => key),
    threshold_impaired: thresholdImpaired,
    sg_cutoff: sgCutoff,
  };
}

/** Runs the model synchronously. The response is sent after its charge is stored, and charged only if delivered. */
async function predict(request: FastifyRequest, reply: FastifyReply, screening: UsgScreening): Promise<UsgPrediction> {
  const caller = callerOf(request);
  const { context } = request.server;
  const screened = screening.predict(request.body);
  if (reply.raw.destroyed) throw new AppError("ABORTED");
  await screening.record({ callId: request.id, ...caller }, screened);
  // If the client disconnected in the meantime, the close event has already passed.
  if (reply.raw.destroyed) await withdrawCharge(context, request.id);
  else settleOnDelivery(reply, context, request.id);
  const { result } = screened;
  return {
    result,
    meta: { service: usgServiceName, model_version: result.model_version, elapsed_ms: roundTo(reply.elapsedTime, 3) },
  };
}

function readBodiesAsJson(usg: FastifyInstance): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  usg.removeAllContentTypeParsers();
  usg.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: Buffer): Promise<unknown> => {
      try {
        return JSON.parse(utf8.decode(body));
      } catch {
        throw new AppError("INVALID_JSON");
      }
    },
  );
}

/**
 * Makes the server read every body as JSON: the specification defines an error for a body that is not JSON, but none
 * for a wrong content type.
 */
async function parseAsJson(request: FastifyRequest): Promise<void> {
  request.raw.headers["content-type"] = "application/json";
}

/** Fastify does not call the parser for a request without a body. */
async function requireBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) throw new AppError("INVALID_JSON");
}

/** Sends an error in the format of section 7, with CORS headers even if no route of the service was reached. */
function sendUsgError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error);
  logFault(request, known);
  keepConnectionOpen(request, reply);
  const body: UsgError = { error: { code: usgErrorCodeOf(known.code), message: publicMessage(known) } };
  return reply.code(known.status).headers(usgCorsHeaders).type("application/json; charset=utf-8").send(body);
}
