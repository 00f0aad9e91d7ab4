import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { outputOf } from "../../../fixtures/process/run-tool.ts";
import { hasTool } from "../pixels/dicom-tools.ts";
import { text } from "../dicom-writer.ts";
import { nativeFile } from "../pixels/phantom-film.ts";

export const hasDcmtk = hasTool("storescu");

export type Ended = { readonly status: number | null; readonly output: string };

export function run(tool: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(tool, args);
  return endOf(child);
}

export function endOf(child: ChildProcess): Promise<Ended> {
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, output })));
}

export type Sample = {
  readonly sopInstanceUid: string;
  readonly sopClassUid?: string;
  readonly sidePx?: number;
  readonly bits?: 8 | 12;
};

export function sampleFile({
  sopInstanceUid,
  sopClassUid = "1.2.840.10008.5.1.4.1.1.1",
  sidePx = 64,
  bits = 8,
}: Sample): Buffer {
  const values = Int32Array.from(
    { length: sidePx * sidePx },
    (_, index) => (index * 7 + (index >> 5) * 3) % (1 << bits),
  );
  return nativeFile({ widthPx: sidePx, heightPx: sidePx, bitsStored: bits, isSigned: false, values }, [
    text("00080005", "CS", "ISO_IR 192"),
    text("00080016", "UI", sopClassUid),
    text("00080018", "UI", sopInstanceUid),
    text("00080060", "CS", "CR"),
    text("00100010", "PN", "Müller^Bello"),
    text("00100020", "LO", "P-1"),
    text("0020000D", "UI", "1.2.3.1"),
    text("0020000E", "UI", "1.2.3.1.1"),
    text("00200013", "IS", "1"),
  ]);
}

export function writeSample(
  folder: string,
  name: string,
  sample: Sample,
  encode?: readonly [tool: string, ...options: string[]],
): string {
  mkdirSync(folder, { recursive: true });
  const plain = path.join(folder, `${name}.plain.dcm`);
  writeFileSync(plain, sampleFile(sample));
  if (!encode) return plain;
  const [tool, ...options] = encode;
  const encoded = path.join(folder, `${name}.dcm`);
  outputOf(tool, [...options, plain, encoded]);
  return encoded;
}

export function dataSetHash(file: string): string {
  const all = readFileSync(file);
  return createHash("sha256")
    .update(all.subarray(144 + all.readUInt32LE(140)))
    .digest("hex");
}

export function transferSyntaxOf(file: string): string {
  const dump = outputOf("dcmdump", ["-Un", "+P", "0002,0010", file]);
  return /\(0002,0010\) UI \[(?<uid>[0-9.]+)/.exec(dump)?.groups?.["uid"] ?? "";
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name));
}

/** Range of ports below those of outgoing connections. */
const [lowestPort, ports] = [11_200, 20_000];
let lastPort = process.pid * 61;

/** Finds a free port that this process has not used before and that no outgoing connection gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowestPort + ((lastPort += 1) % ports);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

export async function startStorescp(
  into: string,
  options: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const port = await freePort();
  mkdirSync(into, { recursive: true });
  const child = spawn("storescp", ["+B", "-od", into, ...options, String(port)], { stdio: "ignore" });
  while (child.exitCode === null && !(await isOpen(port))) await delay(25);
  return { child, port };
}

export function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return once(socket, "connect")
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
