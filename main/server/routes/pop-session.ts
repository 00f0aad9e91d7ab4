import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  popSessionRequest,
  popSessionStartRequest,
  type PopSessionResult,
  type PopSessionStartResult,
} from "../../../core/contract/v3/pop-session.ts";
import { startPopSession, takeFrame } from "../../services/calls/pop-session.ts";
import { confirmOnDelivery } from "../delivery.ts";
import { imageBodyLimitBytes } from "../requests/body-reader.ts";
import { serviceCall } from "../requests/call-signal.ts";
import { readRequest, takeImage } from "../requests/read-request.ts";

export function registerPopSessionRoutes(v3: FastifyInstance): void {
  v3.post("/v3/pop-session/start", { bodyLimit: 64 * 1024 }, start);
  v3.post("/v3/pop-session", { bodyLimit: imageBodyLimitBytes }, sendFrame);
}

async function start(request: FastifyRequest, reply: FastifyReply): Promise<PopSessionStartResult> {
  // A missing body is treated as an empty object.
  if (request.body !== undefined) readRequest(popSessionStartRequest, request);
  return startPopSession(request.server.context, serviceCall(request, reply));
}

async function sendFrame(request: FastifyRequest, reply: FastifyReply): Promise<PopSessionResult> {
  const { context } = request.server;
  const body = readRequest(popSessionRequest, request);
  const image = takeImage(request, body.image);
  const frame = { sessionId: body.session_id, image, uuid: body.uuid ?? null, isDetailed: body.details ?? false };
  const { body: answer, chargeId } = await takeFrame(context, serviceCall(request, reply), frame);
  // The response can be requested again, so a lost connection does not withdraw the charge. Any delivered response
  // confirms it.
  if (chargeId !== null) confirmOnDelivery(reply, context, chargeId);
  return answer;
}
