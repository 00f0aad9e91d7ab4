import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import {
  usgCorsHeaders,
  usgPrefix,
  usgServiceName,
  usgServiceVersion,
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
import { answerOptions, refuseOtherMethods } from "../requests/allowed-methods.ts";
import { serverUrlOf } from "../server-url.ts";

/** Far more than the five numbers and two names of a request need [bytes]. */
const bodyLimitBytes = 64 * 1024;

const methods = new Map([
  ["/health", ["GET", "HEAD", "OPTIONS"]],
  ["/version", ["GET", "HEAD", "OPTIONS"]],
  ["/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ["/predict", ["OPTIONS", "POST"]],
]);

export function usgRoutes(screening: UsgScreening): RouteGroup {
  return (app) => void app.register((usg) => registerBelowPrefix(usg, screening), { prefix: usgPrefix });
}

async function registerBelowPrefix(usg: FastifyInstance, screening: UsgScreening): Promise<void> {
  usg.addHook("onRequest", async (_request, reply) => void reply.headers(usgCorsHeaders));
  usg.addHook("onClose", async () => screening.close());

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
  for (const [path, allowed] of methods) answerOptions(usg, path, allowed);
  // Unlike /v3, this service distinguishes an absent key from an inactive one.
  const onRequest = [requireKey("MISSING_API_KEY"), parseAsJson];
  const checks = { onRequest, preValidation: requireBody, bodyLimit: bodyLimitBytes };
  usg.post("/predict", checks, (request, reply) => predict(request, reply, screening));
  for (const [path, allowed] of methods) refuseOtherMethods(usg, path, allowed);
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

/**
 * Makes the server read every body as JSON: the specification defines an error for a body that is not JSON, but none
 * for its type or encoding.
 */
async function parseAsJson(request: FastifyRequest): Promise<void> {
  request.raw.headers["content-type"] = "application/json";
  delete request.raw.headers["content-encoding"];
}

/** Fastify does not call the parser for a request without a body. */
async function requireBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) throw new AppError("INVALID_JSON");
}
