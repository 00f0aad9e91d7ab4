import type { z } from "zod";
import { healthResult } from "./health.ts";
import { cornersResult, imageRequest, preprocessResult, rectifyRequest, rectifyResult } from "./perspective.ts";
import { popSessionRequest, popSessionResult, popSessionStartRequest, popSessionStartResult } from "./pop-session.ts";
import { predictRequest, predictResult } from "./predict.ts";

export type V3Route = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly request: z.ZodType | null;
  /** Whether an absent body equals an empty object. */
  readonly isBodyOptional?: boolean;
  readonly response: z.ZodType | null;
  /** Media type of the 200 response if it is not JSON. */
  readonly mediaType?: string;
  /** Error statuses in addition to those of every route. */
  readonly errors: readonly number[];
};

const bodyErrors = [413, 415] as const;

/** All routes of /v3 (section 4), from which allowed methods and OpenAPI document are derived. */
export const v3Routes = [
  { method: "GET", path: "/v3/health", summary: "Health check", request: null, response: healthResult, errors: [] },
  {
    method: "POST",
    path: "/v3/predict",
    summary: "Single or batch prediction",
    request: predictRequest,
    response: predictResult,
    errors: [...bodyErrors, 503],
  },
  {
    method: "POST",
    path: "/v3/predict/stream",
    summary: "Batch prediction as server-sent events",
    request: predictRequest,
    response: null,
    mediaType: "text/event-stream",
    errors: [...bodyErrors, 503],
  },
  {
    method: "POST",
    path: "/v3/pop-session/start",
    summary: "Start a capture session",
    request: popSessionStartRequest,
    response: popSessionStartResult,
    isBodyOptional: true,
    errors: bodyErrors,
  },
  {
    method: "POST",
    path: "/v3/pop-session",
    summary: "Send a frame to a capture session",
    request: popSessionRequest,
    response: popSessionResult,
    errors: [...bodyErrors, 404, 503],
  },
  {
    method: "POST",
    path: "/v3/corners",
    summary: "Detect the corners of the film",
    request: imageRequest,
    response: cornersResult,
    errors: [...bodyErrors, 422, 503],
  },
  {
    method: "POST",
    path: "/v3/rectify",
    summary: "Correct the perspective",
    request: rectifyRequest,
    response: rectifyResult,
    errors: [...bodyErrors, 503],
  },
  {
    method: "POST",
    path: "/v3/preprocess",
    summary: "Corners and perspective correction",
    request: imageRequest,
    response: preprocessResult,
    errors: [...bodyErrors, 422, 503],
  },
  { method: "GET", path: "/v3/openapi.json", summary: "This document", request: null, response: null, errors: [] },
] as const satisfies readonly V3Route[];

export function isBodyOptional(path: string | undefined): boolean {
  return v3Routes.some((route: V3Route) => route.path === path && route.isBodyOptional);
}

/** Paths of the previous major version, which return 410 (section 9). */
export const gonePaths = ["/eu/predict", "/eu/health"] as const;
