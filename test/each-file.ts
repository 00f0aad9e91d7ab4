import { afterAll, vi } from "vitest";
import "./equal-bytes.ts";

// Libraries of the page may schedule frames after the file that used them has ended.
globalThis.requestAnimationFrame ??= (draw) => Number(setTimeout(() => draw(performance.now()), 0));
globalThis.cancelAnimationFrame ??= (frame) => clearTimeout(frame);

// Files share a process, so each one restores globals, timers and environment variables.
const environment = { ...process.env };
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
});
