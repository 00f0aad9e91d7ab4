import { afterAll, vi } from "vitest";
import "./equal-bytes.ts";

// Libraries of the page schedule frames, also after the file that used them ended.
globalThis.requestAnimationFrame ??= (draw) => Number(setTimeout(() => draw(performance.now()), 0));
globalThis.cancelAnimationFrame ??= (frame) => clearTimeout(frame);

// Files share a process: none leaves globals, timers or variables of the environment changed for the next.
const environment = { ...process.env };
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
});
