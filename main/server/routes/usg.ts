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
import { asAppError, keepOpen, logFault, publicMessage } from "../errors.ts";

/** Five numbers and two names fit many times over [bytes]. */
const bodyLimitBytes = 64 * 1024;

const methods = new Map([
  ["/health", ["GET", "HEAD", "OPTIONS"]],
  ["/version", ["GET", "HEAD", "OPTIONS"]],
  ["/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ["/predict", ["POST", "OPTIONS"]],
]);

/** The urine screening interface, as a group of routes of the server. */
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
  // A page that sends x-api-key with every call asks before health and version too.
  for (const path of methods.keys()) answerOptions(usg, path);
  // Unlike /v3, this service distinguishes an absent key from an inactive one.
  const onRequest = [requireKey("MISSING_API_KEY"), takeForJson];
  const checks = { onRequest, preValidation: requireBody, bodyLimit: bodyLimitBytes };
  usg.post("/predict", checks, (request, reply) => predict(request, reply, screening));
  refuseOtherMethods(usg);
}

/** A known path with another method is 405 with the allowed methods, whatever key and body it has. */
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

/** Runs the model synchronously; the response is sent once its charge is on disk, and charged only if delivered. */
async function predict(request: FastifyRequest, reply: FastifyReply, screening: UsgScreening): Promise<UsgPrediction> {
  const caller = callerOf(request);
  const { context } = request.server;
  const screened = screening.predict(request.body);
  if (reply.raw.destroyed) throw new AppError("ABORTED");
  await screening.record({ callId: request.id, ...caller }, screened);
  // A client that went away in the meantime has had its event.
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
 * The specification defines no error for a wrong content type, only for bodies that are not JSON: every body is read as
 * JSON.
 */
async function takeForJson(request: FastifyRequest): Promise<void> {
  request.raw.headers["content-type"] = "application/json";
}

/** A request without any body never reaches the parser. */
async function requireBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) throw new AppError("INVALID_JSON");
}

/** Answers in the envelope of section 7, with the CORS headers also where no route of the service was reached. */
function sendUsgError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error);
  logFault(request, known);
  keepOpen(request, reply);
  const body: UsgError = { error: { code: usgErrorCodeOf(known.code), message: publicMessage(known) } };
  return reply.code(known.status).headers(usgCorsHeaders).type("application/json; charset=utf-8").send(body);
}
