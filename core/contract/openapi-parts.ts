import { z } from "zod";

export type JsonObject = { readonly [name: string]: unknown };

type ServiceDescription = {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly schemas: JsonObject;
  readonly paths: JsonObject;
};

/** Builds the OpenAPI 3.1 document of one service. Operations require the API key unless they state otherwise. */
export function documentOf({ title, description, version, serverUrl, schemas, paths }: ServiceDescription): JsonObject {
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: serverUrl, description: "Corvet on this workstation" }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } }, schemas },
    paths,
  };
}

/** JSON Schema for clients, without refinements checked only by the server. */
export function jsonSchema(schema: z.ZodType): JsonObject {
  return { ...z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" }), $schema: undefined };
}

export function jsonContent(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

export function component(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
