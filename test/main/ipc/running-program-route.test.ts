import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { registerDesktopRoutes } from "../../../main/ipc/http-transport.ts";
import { buildServer } from "../../../main/server/build-server.ts";
import { smallPicture } from "../../fixtures/desktop-bench.ts";
import { useBench } from "../../fixtures/use-bench.ts";
import { measured } from "../store/sample-store.ts";

const bench = useBench();
let app: FastifyInstance;
const tokenFile = () => path.join(bench.dataDir, "running-program-token");
const bearer = () => ({ authorization: `Bearer ${readFileSync(tokenFile(), "utf8")}` });

beforeEach(async () => {
  bench.engine.answers(measured);
  app = buildServer(bench.context, {
    credentials: null,
    isPlainHttpAllowed: true,
    configuredHosts: [],
    routeGroups: [async (server) => void (await registerDesktopRoutes(server, bench.desktop))],
  });
  await app.ready();
});
afterEach(async () => {
  await app.close();
});

async function ask(payload: unknown, headers: Record<string, string> = bearer(), host = "localhost") {
  const sent = { method: "POST", url: "/app/running-program", headers: { host, ...headers } } as const;
  const response = await app.inject({ ...sent, payload: JSON.stringify(payload) });
  return [response.statusCode, response.json().code ?? response.json().ok];
}
const wish = { link: "corvet://open?number=P-1" };

it("stores its token in a file that only the user can read, and deletes it on close", async () => {
  expect(statSync(tokenFile()).mode & 0o777).toBe(0o600);
  await app.close();
  expect(() => statSync(tokenFile())).toThrow();
});

it("accepts a request with the token, and reports a missing target", async () => {
  expect(await ask(wish)).toEqual([404, "NOT_FOUND"]);
  const { id } = await bench.addPatient({ uuid: "P-1" });
  expect(await ask(wish)).toEqual([200, true]);
  expect((await bench.call("opening.claim", {})).opening).toEqual({ kind: "patient", patientId: id });
});

it("adds a film to the worklist as the user of the command line", async () => {
  const url = "/app/running-program?name=bella.png";
  const response = await app.inject({
    method: "PUT",
    url,
    headers: { host: "localhost", ...bearer() },
    payload: await smallPicture(1),
  });
  expect(response.json()).toEqual({ ok: true, value: { isPageOpen: false } });
  expect((await bench.call("films.list", {})).films).toMatchObject([{ fileName: "bella.png" }]);
});

it("imports films and folders, and continues after a missing file", async () => {
  const folder = path.join(bench.dataDir, "CD");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "bella.png"), await smallPicture(1));
  const single = path.join(bench.dataDir, "nala.png");
  writeFileSync(single, await smallPicture(2));
  expect(await ask({ paths: [folder, path.join(bench.dataDir, "missing.png"), single] })).toEqual([200, true]);
  const names = async () => (await bench.call("films.list", {})).films.map(({ fileName }) => fileName).sort();
  await expect.poll(names).toEqual(["bella.png", "nala.png"]);
});

it.each([
  ["no token", {}, 401],
  ["another token", { authorization: "Bearer x" }, 401],
  ["a page of this origin", { "sec-fetch-site": "same-origin" }, 403],
  ["a page of another origin", { origin: "https://evil.example" }, 403],
])("refuses %s without an effect", async (_who, headers, status) => {
  await bench.addPatient({ uuid: "P-1" });
  const token = status === 403 ? bearer() : {};
  expect((await ask(wish, { ...token, ...headers }))[0]).toBe(status);
  expect((await bench.call("opening.claim", {})).opening).toBeNull();
});

it.each([[{}], [{ link: 5 }], [{ link: "x", paths: null }], [{ target: "x" }]])("refuses %j", async (payload) =>
  expect(await ask(payload)).toEqual([400, "INVALID_FIELD"]),
);

it("refuses the name of another host", async () => {
  expect((await ask(wish, bearer(), "evil.example"))[0]).toBe(421);
});
