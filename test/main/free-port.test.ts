import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openCorvet } from "../../main/compose.ts";
import { portError } from "../../main/server/listen.ts";
import { scriptedEngine } from "../fixtures/scripted-engine.ts";
import { writtenLog } from "../fixtures/written-log.ts";
import { folderForTest } from "../fixtures/folders.ts";

it("listens on a free port if the requested one is in use, and reports it", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const dataDir = folderForTest();
  const { log } = writtenLog();
  const corvet = await openCorvet({
    dataDir,
    port,
    log,
    engine: scriptedEngine(),
    takesFreePort: true,
  });
  onTestFinished(async () => {
    await corvet.close();
  });
  const server: unknown = JSON.parse(readFileSync(path.join(dataDir, "server.json"), "utf8"));
  expect(server).toMatchObject({ url: corvet.url, port: corvet.port });
  expect(corvet.port).not.toBe(port);
  expect(corvet.context.troubles?.()).toMatchObject([
    { code: "PORT_TAKEN", reason: { name: "portTaken", values: { port: String(port), url: corvet.url } } },
  ]);
});

it.each([
  ["EADDRINUSE", 7443, "Port 7443 is in use by another program"],
  ["EACCES", 7443, "Port 7443 is reserved by the system (Windows: netsh interface ipv4 show excludedportrange"],
  ["EACCES", 443, "choose one above 1023"],
])("advises on %s for port %i", (code, port, text) => {
  expect(portError(port, Object.assign(new Error(), { code }))?.message).toContain(text);
});
