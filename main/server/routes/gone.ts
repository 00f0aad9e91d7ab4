import type { FastifyInstance } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import { gonePaths } from "../../../core/contract/v3/routes.ts";

/** The previous major version: 410 for every method, with or without a key. */
export function registerGoneRoutes(app: FastifyInstance): void {
  for (const path of gonePaths) {
    app.all(
      path,
      {
        onRequest: async () => {
          throw new AppError("GONE");
        },
      },
      async () => undefined,
    );
  }
}
