import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { usgPredictionSchema } from "../../../core/contract/usg-v1.ts";
import { listen, type Listening } from "../../../main/server/listen.ts";
import { ensureTlsCredentials } from "../../../main/server/tls/tls.ts";
import { openUsgServer, type UsgServer } from "./service/usg-server.ts";
import { folderForFile } from "../../fixtures/folders.ts";

const guide = readFileSync(path.resolve("docs/usg-client.md"), "utf8");
const folder = folderForFile();

let server: UsgServer;
let listening: Listening;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  const credentials = await ensureTlsCredentials(folder, [], new Date());
  server = await openUsgServer({ credentials });
  listening = await listen(server.app, { port: 0 });
  environment = {
    ...process.env,
    CORVET_URL: listening.url,
    CORVET_CA: credentials.authorityPath,
    NODE_EXTRA_CA_CERTS: credentials.authorityPath,
  };
});
afterAll(async () => {
  await listening.close();
  await server.close();
});

async function runSample(language: string, file: string, command: string, key = server.key): Promise<string> {
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1];
  if (code === undefined) throw new Error(`the guide has no ${language} sample`);
  writeFileSync(path.join(folder, file), code);
  const child = spawn(command, [path.join(folder, file)], { env: { ...environment, CORVET_KEY: key } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (status !== 0) throw new Error(output);
  return output;
}

it("runs the curl sample", async () => {
  const { result } = usgPredictionSchema.parse(JSON.parse(await runSample("bash", "sample.sh", "bash")));
  expect(result.warnings).toEqual(["Creatinine (mg/dL): 141.4 -> 1.6 (converted from umol/L to mg/dL)"]);
});

it("gets the same output from the TypeScript and the Python sample", async () => {
  const typescript = await runSample("ts", "sample.ts", process.execPath);
  const python = await runSample("python", "sample.py", "python3");
  expect(typescript).toMatch(/^(low|moderate_low|moderate_high|high) 0\.\d+ 1\.5a-corvet\.1\n$/);
  expect(python).toBe(typescript);
});

it("gets the documented error codes from the samples", async () => {
  expect([
    await runSample("ts", "sample.ts", process.execPath, "revoked"),
    await runSample("python", "sample.py", "python3", "revoked"),
  ]).toEqual(["403 invalid_api_key\n", "403 invalid_api_key\n"]);
});

it.each([
  ["/usg/v1/health", "*"],
  ["/usg/v1?x", "*"],
  ["/usg/v10", null],
  ["/v3/health", null],
])("redirects plain HTTP to %s to TLS, with the CORS origin %s", async (address, origin) => {
  const answer = await fetch(`http://localhost:${listening.port}${address}`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location"), answer.headers.get("access-control-allow-origin")]).toEqual([
    308,
    `${listening.url}${address}`,
    origin,
  ]);
});
