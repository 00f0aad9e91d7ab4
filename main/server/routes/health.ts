import type { FastifyInstance } from "fastify";
import { openApiDocument } from "../../../core/contract/openapi.ts";
import type { HealthResult } from "../../../core/contract/v3/health.ts";
import { serverUrlOf } from "../server-url.ts";

export function registerHealthRoutes(v3: FastifyInstance): void {
  const { engine, programVersion, troubles } = v3.context;
  v3.get("/v3/health", async (): Promise<HealthResult> => {
    const { isDegraded, modelsLoaded, popModelsLoaded, isPopEnabled, modelVersion } = engine.health();
    return {
      status: isDegraded || (troubles?.() ?? []).length > 0 ? "degraded" : "healthy",
      models_loaded: modelsLoaded,
      pop_models_loaded: popModelsLoaded,
      pop_pipeline_enabled: isPopEnabled,
      model_version: modelVersion,
    };
  });
  v3.get("/v3/openapi.json", async (request) => openApiDocument(programVersion, serverUrlOf(request)));
}
