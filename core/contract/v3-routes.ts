import type { z } from "zod";
import * as v3 from "./v3.ts";

/** A route of /v3: what it takes and what it answers with 200. */
export type V3Route = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly request: z.ZodType | null;
  readonly response: z.ZodType | null;
  /** Media type of the 200 answer where it is not JSON. */
  readonly mediaType?: string;
  /** Error statuses beside 403, 429 and 500, which every route can answer. */
  readonly errors: readonly number[];
};

const imageErrors = [400, 408, 413, 415] as const;

/**
 * Every route of /v3 (section 4). The server, its list of allowed methods and the OpenAPI document are made from it.
 */
export const v3Routes = [
  { method: "GET", path: "/v3/health", summary: "Health check", request: null, response: v3.healthResult, errors: [] },
  {
    method: "POST",
    path: "/v3/predict",
    summary: "Single or batch prediction",
    request: v3.predictRequest,
    response: v3.predictResult,
    errors: [...imageErrors, 503],
  },
  {
    method: "POST",
    path: "/v3/predict/stream",
    summary: "Batch prediction as server-sent events",
    request: v3.predictRequest,
    response: null,
    mediaType: "text/event-stream",
    errors: [...imageErrors, 503],
  },
  {
    method: "POST",
    path: "/v3/pop-session/start",
    summary: "Start a capture session",
    request: v3.popSessionStartRequest,
    response: v3.popSessionStartResult,
    errors: [400, 413, 415],
  },
  {
    method: "POST",
    path: "/v3/pop-session",
    summary: "Send a frame to a capture session",
    request: v3.popSessionRequest,
    response: v3.popSessionResult,
    errors: [...imageErrors, 404, 503],
  },
  {
    method: "POST",
    path: "/v3/corners",
    summary: "Detect the corners of the film",
    request: v3.imageRequest,
    response: v3.cornersResult,
    errors: [...imageErrors, 422, 503],
  },
  {
    method: "POST",
    path: "/v3/rectify",
    summary: "Correct the perspective",
    request: v3.rectifyRequest,
    response: v3.rectifyResult,
    errors: [...imageErrors, 503],
  },
  {
    method: "POST",
    path: "/v3/preprocess",
    summary: "Corners and perspective correction",
    request: v3.imageRequest,
    response: v3.preprocessResult,
    errors: [...imageErrors, 422, 503],
  },
  { method: "GET", path: "/v3/openapi.json", summary: "This document", request: null, response: null, errors: [] },
] as const satisfies readonly V3Route[];

/** Paths of the previous major version, which are gone (section 9). */
export const gonePaths = ["/eu/predict", "/eu/health"] as const;
