import { errorBody } from "../../../../core/contract/v3/values.ts";
import { v3Routes, type V3Route } from "../../../../core/contract/v3/routes.ts";

export function assertShape(path: string, status: number, body: unknown): void {
  const route: V3Route | undefined = v3Routes.find((candidate) => candidate.path === path);
  const schema = status === 200 ? route?.response : errorBody;
  schema?.parse(body);
}
