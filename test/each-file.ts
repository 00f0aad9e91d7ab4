import { afterAll, vi } from "vitest";
import "./equal-bytes.ts";

// Files share a process: none leaves globals, timers or variables of the environment changed for the next.
const environment = { ...process.env };
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
});
