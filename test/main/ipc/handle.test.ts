import { beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import type { DesktopChannel } from "../../../core/contract/desktop.ts";
import { createHandle } from "../../../main/ipc/handle.ts";
import type { Handlers } from "../../../main/ipc/handlers.ts";

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
beforeEach(() => vi.clearAllMocks());
const door = { admit: () => Promise.resolve({ via: "window", personId: null, who: null } as const) };
const handling = (handler: (request: unknown) => unknown) =>
  createHandle({ "films.queue": handler, "films.list": handler } as unknown as Handlers<DesktopChannel>, door, log);
const queue = { filmIds: ["first"] };

describe("the entry point of all handlers", () => {
  it("passes the parsed request with its defaults, and returns only fields of the contract", async () => {
    const seen = vi.fn(() => ({ films: [], total: 0, secret: "x" }));
    expect(await handling(seen)("films.list", {}, "window")).toEqual({ ok: true, value: { films: [], total: 0 } });
    expect(seen.mock.calls).toEqual([[{ search: "", limit: 200, offset: 0, order: "added" }, "window"]]);
  });

  it("names the invalid field", async () => {
    const refuse = handling(() => queue);
    expect(await refuse("films.list", { limit: 0 }, "window")).toMatchObject({
      ok: false,
      code: "INVALID_FIELD",
      message: expect.stringContaining("Invalid field: limit"),
    });
    expect(await refuse("films.list", null, "window")).toMatchObject({
      message: expect.stringContaining("Invalid field: request"),
    });
  });

  it("returns an expected failure without logging it", async () => {
    const failing = handling(() => {
      throw new AppError("CONFLICT", "taken");
    });
    expect(await failing("films.queue", {}, "window")).toEqual({ ok: false, code: "CONFLICT", message: "taken" });
    expect(log.error).not.toHaveBeenCalled();
  });

  it.each([
    ["throws", () => Promise.reject(new TypeError("Rex is undefined"))],
    ["breaks the contract", () => ({ ...queue, filmIds: "many" })],
  ])("logs a handler that %s once and returns a generic message", async (_what, handler) => {
    expect(await handling(handler)("films.queue", {}, "window")).toEqual({
      ok: false,
      code: "INTERNAL",
      message: "Internal server error",
    });
    expect(log.error).toHaveBeenCalledTimes(1);
  });
});
