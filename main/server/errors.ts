import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../core/app-error.ts";
import { systemFaultOf, willPass } from "../../core/system-fault.ts";
import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";

/** Seconds after which a caller may retry: enough to measure about ten images. */
const retryAfterSeconds = 5;

/** Fastify's own faults that a client can cause, in the words of the catalogue. */
const clientFaults: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "INVALID_BODY",
  FST_ERR_CTP_EMPTY_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_EMPTY_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_JSON_BODY: "INVALID_JSON",
  FST_ERR_BAD_URL: "NOT_FOUND",
  FST_ERR_NOT_FOUND: "NOT_FOUND",
  FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
  // The client went away while its answer was written.
  ERR_STREAM_PREMATURE_CLOSE: "ABORTED",
};

/** Converts any thrown value to a catalogue error; an unexpected one becomes INTERNAL with its cause. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return new AppError("INTERNAL", undefined, { cause: error });
  const code = "code" in error && typeof error.code === "string" ? clientFaults[error.code] : undefined;
  if (code) return new AppError(code, undefined, { cause: error });
  if (error.name === "AbortError") return new AppError("ABORTED", undefined, { cause: error });
  return systemFaultOf(error) ?? new AppError("INTERNAL", undefined, { cause: error });
}

/** Logs a bug, or a fault of the machine or the store, once and with its cause; other failures are expected. */
export function logFault(request: FastifyRequest, error: AppError): void {
  if (error.status !== 500 && !willPass(error.code) && systemFaultOf(error) === null) return;
  request.server.context.log.error(
    { code: error.code, path: request.routeOptions.url ?? null, error: error.cause ?? error },
    "internal error",
  );
}

/**
 * Message for the client: generic for a bug, the catalogue's for a fault of the machine or the store, whose message
 * contains the store's path.
 */
export function publicMessage({ status, code, message }: AppError): string {
  if (status === 500) return errorCatalogue.INTERNAL.message;
  return willPass(code) ? errorCatalogue[code].message : message;
}

/** Reason of aborted work, from the request's signal. */
function whyStopped(error: AppError, { workSignal }: FastifyRequest): AppError {
  return error.code === "ABORTED" && workSignal?.reason instanceof AppError ? workSignal.reason : error;
}

export function knownError(error: unknown, request: FastifyRequest): AppError {
  return whyStopped(asAppError(error), request);
}

/**
 * Fastify closes the connection if it refuses a body. Data still being sent would then reset the connection before the
 * client has read the response; they are discarded instead, for up to `lingerMs`.
 */
export function keepOpen({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!raw.complete) reply.removeHeader("connection");
}

/** Answers in the shape of section 7: `{error: message}`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error, request);
  logFault(request, known);
  keepOpen(request, reply);
  if (known.code === "BUSY" || known.code === "DECODING_INTERRUPTED")
    void reply.header("retry-after", String(retryAfterSeconds));
  return reply
    .code(known.status)
    .type("application/json; charset=utf-8")
    .send({ error: publicMessage(known) });
}
