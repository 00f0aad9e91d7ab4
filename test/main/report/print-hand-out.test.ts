import { expect, it } from "vitest";
import { handOutPdf } from "../../../main/report/hand-out-pdf.ts";
import { printHandOut } from "../../../main/report/print-hand-out.ts";
import { handOuts } from "./hand-outs.ts";

it("the thread prints what its maker makes, logo and trend included, and the program's own thread has nearly nothing to do", async () => {
  const all = Object.values(handOuts);
  await printHandOut(all[0]!);
  const before = process.threadCpuUsage();
  const printed = await Promise.all(all.map(printHandOut));
  const { user, system } = process.threadCpuUsage(before);
  const made = await Promise.all(all.map(handOutPdf));
  expect(printed.map((pdf, index) => pdf.equals(made[index]!))).toEqual(all.map(() => true));
  expect((user + system) / 1000).toBeLessThan(100);
});

it("a fault is told to whoever asked, and the next hand-out is made", async () => {
  const sound = Object.values(handOuts)[0]!;
  await expect(printHandOut({ ...sound, film: { ...sound.film, jpeg: Buffer.from("no picture") } })).rejects.toThrow(
    "image",
  );
  expect((await printHandOut(sound)).subarray(0, 5).toString()).toBe("%PDF-");
});
