import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Corners } from "../../../core/cardiac/points.ts";
import {
  imageRequest,
  rectifyRequest,
  type CornersResult,
  type PreprocessResult,
  type RectifyResult,
} from "../../../core/contract/v3/perspective.ts";
import { cornerOrder } from "../../../core/contract/v3/values.ts";
import { cornersOf, preprocessPhoto, rectifyPhoto, type StraightenedFilm } from "../../services/calls/perspective.ts";
import { imageBodyLimitBytes } from "../requests/body-reader.ts";
import { serviceCall } from "../requests/call-signal.ts";
import { readRequest, takeImage } from "../requests/read-request.ts";

/** `POST /v3/corners`, `/v3/rectify`, `/v3/preprocess`: free of charge. */
export function registerPerspectiveRoutes(v3: FastifyInstance): void {
  const options = { bodyLimit: imageBodyLimitBytes };
  v3.post("/v3/corners", options, findCorners);
  v3.post("/v3/rectify", options, rectify);
  v3.post("/v3/preprocess", options, preprocess);
}

async function findCorners(request: FastifyRequest, reply: FastifyReply): Promise<CornersResult> {
  const { context } = request.server;
  const image = takeImage(request, readRequest(imageRequest, request).image);
  const { corners, photo } = await cornersOf(context, image, serviceCall(request, reply).signal);
  return {
    ...cornerFields(corners),
    image_width: photo.fullWidthPx,
    image_height: photo.fullHeightPx,
    model_version: context.engine.health().modelVersion,
  };
}

async function rectify(request: FastifyRequest, reply: FastifyReply): Promise<RectifyResult> {
  const { context } = request.server;
  const body = readRequest(rectifyRequest, request);
  const image = takeImage(request, body.image);
  const film = await rectifyPhoto(context, image, body.corners, serviceCall(request, reply).signal);
  return { ...filmFields(film), model_version: context.engine.health().modelVersion };
}

async function preprocess(request: FastifyRequest, reply: FastifyReply): Promise<PreprocessResult> {
  const { context } = request.server;
  const image = takeImage(request, readRequest(imageRequest, request).image);
  const { corners, film } = await preprocessPhoto(context, image, serviceCall(request, reply).signal);
  return { ...filmFields(film), ...cornerFields(corners), model_version: context.engine.health().modelVersion };
}

function filmFields({ jpeg, widthPx, heightPx }: StraightenedFilm) {
  return { rectified_image: jpeg.toString("base64"), width: widthPx, height: heightPx };
}

function cornerFields([tl, tr, br, bl]: Corners): Pick<CornersResult, "corners" | "order"> {
  const corners: CornersResult["corners"] = [
    [tl.x, tl.y],
    [tr.x, tr.y],
    [br.x, br.y],
    [bl.x, bl.y],
  ];
  return { corners, order: cornerOrder };
}
