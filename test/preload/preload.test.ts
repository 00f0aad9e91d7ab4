import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { desktopChannels } from "../../core/contract/desktop.ts";

// Built before all tests, from the present sources.
it("is built as one CommonJS file that requires nothing but Electron, as a sandbox demands", () => {
  const text = readFileSync("dist/preload/preload.cjs", "utf8");
  expect([...text.matchAll(/require\("([^"]+)"\)/g)].map((match) => match[1])).toEqual(["electron"]);
  expect(text).not.toMatch(/^import /m);
  expect(desktopChannels.filter((channel) => !text.includes(`"${channel}"`))).toEqual([]);
  expect(text.length).toBeLessThan(10_000);
});
