import { PassThrough } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import { predictRequest, type PredictRequest } from "../../../core/contract/v3/predict.ts";
import { predictSingle, type ServiceCall } from "../../services/calls/predict.ts";
import {
  measurePhotos,
  photoValues,
  predictBatch,
  reserveBatch,
  settleBatch,
  type BatchPrediction,
  type PhotoOutcome,
} from "../../services/calls/predict-batch.ts";
import type { QueuePlaces } from "../../services/measuring/work-queue.ts";
import { batchBodyLimitBytes } from "../requests/body-reader.ts";
import { serviceCall } from "../requests/call-signal.ts";
import { knownError, logFault, publicMessage } from "../errors.ts";
import { readImages, readRequest, takeImage } from "../requests/read-request.ts";

export function registerPredictRoutes(v3: FastifyInstance): void {
  v3.post("/v3/predict", { bodyLimit: batchBodyLimitBytes }, predict);
  v3.post("/v3/predict/stream", { bodyLimit: batchBodyLimitBytes }, streamPrediction);
}

async function predict(request: FastifyRequest, reply: FastifyReply) {
  const { context } = request.server;
  const body = readPhotos(request);
  const uuid = body.uuid ?? null;
  const isDetailed = body.details ?? false;
  if (body.images !== undefined) {
    const images = await readImages(request, body.images);
    return await predictBatch(context, serviceCall(request, reply), { images, uuid, isDetailed });
  }
  const image = takeImage(request, body.image);
  const single = { image, uuid, isRendered: body.render ?? false, isDetailed };
  return await predictSingle(context, serviceCall(request, reply), single);
}

/** Treats a single image as a batch of one. */
async function streamPrediction(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { context } = request.server;
  const body = readPhotos(request);
  const images = body.images ? await readImages(request, body.images) : [takeImage(request, body.image)];
  const batch = { images, uuid: body.uuid ?? null, isDetailed: body.details ?? false };
  // Throws before the stream starts, so that missing networks (503) and a full queue (429) get an ordinary response.
  const places = reserveBatch(context, batch);
  await writePhotos(request, reply, serviceCall(request, reply), places, batch);
}

type Photos = { readonly images: readonly string[] } | { readonly images: undefined; readonly image: string };

/** Reads the body of a prediction, with exactly one of `image` and `images`. @throws AppError as `readRequest` */
function readPhotos(request: FastifyRequest): PredictRequest & Photos {
  const body = readRequest(predictRequest, request);
  const { image, images } = body;
  if (image !== undefined && images !== undefined)
    throw new AppError("INVALID_FIELD", "Invalid field: send image or images, not both");
  if (images !== undefined) return { ...body, images };
  if (image === undefined) throw new AppError("MISSING_FIELD", "Missing required field: image");
  return { ...body, images, image };
}

/**
 * Streams `processing_started`, one `photo` or `error` per image, and `summary` (section 6). An internal failure ends
 * the stream without `summary`.
 */
async function writePhotos(
  request: FastifyRequest,
  reply: FastifyReply,
  call: ServiceCall,
  places: QueuePlaces,
  batch: BatchPrediction,
): Promise<void> {
  const { context, limits } = request.server;
  const total = batch.images.length;
  const version = context.engine.health().modelVersion;
  const stream = openEventStream(reply, limits.heartbeatMs);
  const sendError = (index: number, error: string): void =>
    stream.send("error", { index, uuid: batch.uuid ?? "", error });
  const sendPhoto = (index: number, outcome: PhotoOutcome): void => {
    if (outcome instanceof AppError) sendError(index, outcome.message);
    else
      stream.send("photo", {
        index,
        ...photoValues(outcome),
        n_total: total,
        model_version: outcome.measurement.provenance.modelVersion,
      });
  };
  let done = 0;
  try {
    stream.send("processing_started", { n_images: total, model_version: version });
    const outcomes = await measurePhotos(context, call, places, batch, (index, outcome) => {
      done = index + 1;
      // The last photo is sent with the summary, after the charge is recorded: a client may stop reading after it.
      if (done < total) sendPhoto(index, outcome);
    });
    const summary = await settleBatch(context, call, batch, outcomes);
    for (const last of outcomes.slice(-1)) sendPhoto(total - 1, last);
    stream.send("summary", summary);
  } catch (error) {
    const known = knownError(error, request);
    logFault(request, known);
    sendError(Math.min(done, total - 1), publicMessage(known));
  }
  stream.end();
}

type EventStream = {
  send(event: string, data: unknown): void;
  end(): void;
};

/**
 * Starts an event stream. A comment is sent every `heartbeatMs`, so that proxies and clients keep the connection open.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
function openEventStream(reply: FastifyReply, heartbeatMs: number): EventStream {
  const stream = new PassThrough();
  void reply.type("text/event-stream; charset=utf-8").header("x-accel-buffering", "no").send(stream);
  const heartbeat = setInterval(() => stream.write(": waiting\n\n"), heartbeatMs).unref();
  stream.once("close", () => clearInterval(heartbeat));
  return {
    send: (event, data) => void stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end() {
      clearInterval(heartbeat);
      stream.end();
    },
  };
}
