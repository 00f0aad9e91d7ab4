import { z } from "zod";
import { integer, modelVersion } from "./values.ts";

export const loaded = {
  models_loaded: integer.min(0),
  pop_models_loaded: integer.min(0),
  pop_pipeline_enabled: z.boolean(),
  model_version: modelVersion,
};

export const healthResult = z.strictObject({ status: z.enum(["healthy", "degraded"]), ...loaded });

export type HealthResult = z.infer<typeof healthResult>;
