import { afterEach, expect, it, vi } from "vitest";
import { collectBuffers } from "../../main/collect-garbage.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("skips a check while the memory cannot be read, as with too many open files", () => {
  vi.useFakeTimers();
  const usage = vi.spyOn(process, "memoryUsage").mockImplementation(() => {
    throw Object.assign(new Error("EMFILE: too many open files, uv_resident_set_memory"), { code: "EMFILE" });
  });
  const stop = collectBuffers();
  expect(() => vi.advanceTimersByTime(4000)).not.toThrow();
  expect(usage).toHaveBeenCalledTimes(2);
  stop();
});
