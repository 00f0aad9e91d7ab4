import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { associateRequest, connectRaw, element, fragment, pdu, storeCommand } from "./raw-association.ts";
import { associated, narrow, openReceivers, until } from "./receiver-bench.ts";

if (process.platform !== "linux") console.log("skipped: descriptors are counted in /proc, which only Linux has");

const { open } = openReceivers();

test.skipIf(process.platform !== "linux")(
  "leaks neither descriptors nor memory with hundreds of broken connections",
  async () => {
    const bench = await open({ limits: { ...narrow, connections: 16 } });
    const { reports, folder: into } = bench;
    const handles = () => readdirSync("/proc/self/fd").length;
    const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
    const round = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const raw = await associated(bench);
        raw.send(
          fragment("command", true, storeCommand("1.2.3")),
          fragment("data", false, Buffer.alloc(50_000, index)),
        );
        if (index % 2) raw.socket.resetAndDestroy();
        else raw.send(Buffer.alloc(200, 0xff));
        await raw.closed;
      }
      await until(() => reports.length === count, "all reports");
      reports.length = 0;
    };
    await round(40);
    const [handlesBefore, memoryBefore] = [handles(), residentMb()];
    await round(120);
    await until(() => handles() <= handlesBefore, "descriptors that are closed again");
    expect(residentMb() - memoryBefore).toBeLessThan(60);
    expect(readdirSync(into)).toEqual([]);
  },
);

test("keeps receiving after sessions with randomly changed bytes", async () => {
  const bench = await open({ limits: narrow });
  const { port, folder: into, reports, failures } = bench;
  const dataElement = element(0x0018, Buffer.from("1.2.3.9\0"), 8);
  const dataSet = Buffer.concat([element(0x0016, Buffer.from("1.2.840.10008.5.1.4.1.1.1\0"), 8), dataElement]);
  const session = Buffer.concat([
    associateRequest(),
    fragment("command", true, storeCommand("1.2.3.9")),
    fragment("data", true, dataSet),
    pdu(5, Buffer.alloc(4)),
  ]);
  let seed = 20_261_121;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  for (let run = 0; run < 150; run++) {
    const bytes = Buffer.from(session);
    for (let edits = 1 + random(4); edits > 0; edits--) bytes[random(bytes.length)] = random(256);
    const raw = await connectRaw(port);
    raw.socket.end(bytes);
    await raw.closed;
  }
  await until(() => reports.length === 150, "all reports");
  expect(failures).toEqual([]);
  expect(readdirSync(into).filter((name) => !name.endsWith(".dcm"))).toEqual([]);
  (await associated(bench)).socket.destroy();
});
