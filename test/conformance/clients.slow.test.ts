import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rootCertificates } from "node:tls";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, type TestContext } from "vitest";
import { folderForFile } from "../fixtures/folders.ts";
import { sharedBrowser } from "../end-to-end/program.ts";
import { chromiumOptions } from "../fixtures/chromium.ts";
import { fixtureImage, fixtureNames } from "../main/server/service/sample-images.ts";
import { isForeign, needsPop, useServiceUnderTest } from "./service/service-under-test.ts";

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "..", "..");
const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((file) => existsSync(file));
const languages = [
  { page: "curl.md", file: "snippet.sh", program: "/bin/sh" },
  { page: "typescript.md", file: "snippet.ts", program: process.execPath },
  { page: "python.md", file: "snippet.py", program: python ?? "python3" },
];

const service = useServiceUnderTest();
const folder = folderForFile();
let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  const authority = path.join(folder, "authority.pem");
  writeFileSync(authority, service.authority ?? rootCertificates.join("\n"));
  const [film, second] = fixtureNames("films").map((name) => path.join(root, "test", "fixtures", name));
  environment = {
    ...process.env,
    NODE_OPTIONS: "",
    CORVET_URL: service.baseUrl,
    CORVET_KEY: service.key,
    CORVET_CA: authority,
    NODE_EXTRA_CA_CERTS: authority,
    FILM: film,
    SECOND_FILM: second,
    SCREEN: path.join(root, "test", "fixtures", fixtureNames("session")[0] ?? ""),
  };
});

const headings = ["One radiograph", "A batch", "A stream", "A capture session"];
/** Examples that are not available for the shell. */
const furtherHeadings = ["Landmarks of a photograph", "An image that is too large"];

/** Returns the code blocks of a page by heading. Blocks with a file name are written to the folder instead. */
function blocksOf(page: string): Map<string, string> {
  const blocks = new Map<string, string>();
  const text = readFileSync(path.join(root, "docs", "clients", page), "utf8");
  for (const section of text.split(/^## /m)) {
    for (const [, file, code = ""] of section.matchAll(/^```\w+(?: file=(\S+))?\n([^]*?)^```$/gm)) {
      const heading = section.split("\n", 1)[0] ?? "";
      if (file) writeFileSync(path.join(folder, file), code);
      else blocks.set(blocks.has(heading) ? `${heading}, again` : heading, code);
    }
  }
  return blocks;
}

describe.each(languages)("docs/clients/$page", ({ page, file, program }) => {
  const printed = async (heading: string, changes: NodeJS.ProcessEnv = {}): Promise<string> => {
    const code = blocksOf(page).get(heading);
    const snippet = path.join(folder, file);
    writeFileSync(snippet, code ?? "");
    const env = { ...environment, ...changes };
    const { stdout } = await run(program, [snippet], { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  };
  const needsProgram = ({ skip }: TestContext) =>
    skip(page === "python.md" && python === undefined, "no python3 in /usr/bin or /usr/local/bin");

  it("contains only blocks that are run here", () =>
    expect([...blocksOf(page).keys()]).toEqual(page === "curl.md" ? headings : [...headings, ...furtherHeadings]));
  it("measures a radiograph", async (context) => {
    needsProgram(context);
    expect(await printed("One radiograph")).toMatch(/VHS (and VLAS )?predicted/);
  });
  it("measures a batch", async (context) => {
    needsProgram(context);
    // Another service may have measured the patient of these pages in an earlier run.
    expect(await printed("A batch")).toMatch(
      isForeign ? /call_type['"]?: ?['"]session|recheck_24h/ : /call_type['"]?: ?['"]session/,
    );
  });
  it("reads a stream", async (context) => {
    needsProgram(context);
    const text = await printed("A stream");
    const places = ["processing_started", "photo", "summary"].map((name) => text.indexOf(name));
    expect(places.every((place, index) => place > (places[index - 1] ?? -1))).toBe(true);
  });
  it("completes a capture session", async (context) => {
    needsProgram(context);
    needsPop(service)(context);
    const text = await printed("A capture session");
    expect(text).toMatch(/session_status['"]?: ?['"]complete['"]/);
    expect(text).toMatch(/call_type['"]?: ?['"]session/);
  });
  // The page for curl has no such examples.
  if (page === "curl.md") return;
  it("draws the landmarks of a photograph on its rectified film", async (context) => {
    needsProgram(context);
    needsPop(service)(context);
    expect(await printed("Landmarks of a photograph")).toContain("landmarks.html: 7 landmarks");
    const html = readFileSync(path.join(folder, "landmarks.html"), "utf8");
    expect(html.match(/<circle cx="[\d.]+%" cy="[\d.]+%"/g)).toHaveLength(7);
    expect(html).toContain("data:image/jpeg;base64,/9j/");
  });
  it("draws no landmarks on a rejected picture", async (context) => {
    needsProgram(context);
    const rejected = path.join(root, "test", "fixtures", fixtureNames("negatives")[0] ?? "");
    expect(await printed("Landmarks of a photograph", { SCREEN: rejected })).toContain("landmarks.html: 0 landmarks");
  });
  it("prints the 413 message for an oversized image", async (context) => {
    needsProgram(context);
    expect(await printed("An image that is too large")).toContain("413: Image exceeds maximum size of 10MB");
  });
});

it("reads a stream with fetch in a browser", async ({ skip }) => {
  skip(!existsSync(chromiumOptions.executablePath), "Chromium is not installed");
  const context = await (await sharedBrowser()).newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/v3/health`);
    const films = fixtureNames("films").slice(0, 2).map(fixtureImage);
    const text = await page.evaluate(
      async ([key, images]) => {
        const headers = { "x-api-key": key as string, "content-type": "application/json" };
        const body = JSON.stringify({ images });
        return (await fetch("/v3/predict/stream", { method: "POST", headers, body })).text();
      },
      [service.key, films] as const,
    );
    expect(text.match(/^event: \w+$/gm)).toEqual([
      "event: processing_started",
      "event: photo",
      "event: photo",
      "event: summary",
    ]);
  } finally {
    await context.close();
  }
});
