import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../core/app-error.ts";
import { systemFaultOf, isTemporary } from "../../core/system-fault.ts";
import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";
import { usgErrorCodeOf } from "../../core/contract/usg-v1.ts";
import { failureAt } from "./client-errors.ts";

/** Value of the Retry-After header [s]: about the time that ten images take. */
const retryAfterSeconds = 5;

const clientFaults: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "INVALID_BODY",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_BAD_URL: "NOT_FOUND",
  FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
  // The client disconnected while its response was written.
  ERR_STREAM_PREMATURE_CLOSE: "ABORTED",
};

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return new AppError("INTERNAL", undefined, { cause: error });
  const code = "code" in error && typeof error.code === "string" ? clientFaults[error.code] : undefined;
  if (code) return new AppError(code, undefined, { cause: error });
  if (error.name === "AbortError") return new AppError("ABORTED", undefined, { cause: error });
  return systemFaultOf(error) ?? new AppError("INTERNAL", undefined, { cause: error });
}

/** Logs bugs and faults of the system or the store, with their cause. Other errors are expected and not logged. */
export function logFault(request: FastifyRequest, error: AppError): void {
  if (error.status !== 500 && !isTemporary(error.code) && systemFaultOf(error) === null) return;
  request.server.context.log.error(
    { code: error.code, path: request.routeOptions.url ?? null, error: error.cause ?? error },
    "internal error",
  );
}

/** Generic for a bug, and for a fault of the system or the store, whose message contains the store's path. */
export function publicMessage({ status, code, message }: AppError): string {
  if (status === 500) return errorCatalogue.INTERNAL.message;
  return isTemporary(code) ? errorCatalogue[code].message : message;
}

function abortReason(error: AppError, { workSignal }: FastifyRequest): AppError {
  return error.code === "ABORTED" && workSignal?.reason instanceof AppError ? workSignal.reason : error;
}

export function knownError(error: unknown, request: FastifyRequest): AppError {
  return abortReason(asAppError(error), request);
}

/**
 * Keeps the connection of a refused body open. Fastify would close it, and data still being sent would then reset the
 * connection before the client has read the response. The data is discarded instead, for up to `lingerMs`.
 */
function keepConnectionOpen({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!raw.complete) reply.removeHeader("connection");
}

/** Sends an error in the format of the service to which the path belongs. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error, request);
  logFault(request, known);
  keepConnectionOpen(request, reply);
  if (known.code === "BUSY" || known.code === "DECODING_INTERRUPTED")
    void reply.header("retry-after", String(retryAfterSeconds));
  const address = request.routeOptions.url ?? request.url;
  const { headers, body } = failureAt(address, usgErrorCodeOf(known.code), publicMessage(known));
  return reply.code(known.status).headers(headers).send(body);
}
