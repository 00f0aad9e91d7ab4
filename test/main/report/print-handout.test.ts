import { afterAll, expect, it } from "vitest";
import { handoutPdf } from "../../../main/report/handout-pdf.ts";
import { createHandoutPrinter } from "../../../main/report/print-handout.ts";
import { handouts } from "./sample-handouts.ts";

const printer = createHandoutPrinter();
afterAll(() => printer.close());

it("prints the same handout in the thread, logo and trend included, and leaves the event loop free", async () => {
  const trend = handouts["a correction in German with a course"]!;
  const all = [handouts["a proposal"]!, { ...trend, clinic: { ...trend.clinic, logo: trend.film.jpeg } }];
  await printer.print(all[0]!);
  const before = process.threadCpuUsage();
  const printed = await Promise.all(all.map(printer.print));
  const printing = process.threadCpuUsage(before);
  const then = process.threadCpuUsage();
  const made = await Promise.all(all.map(handoutPdf));
  const making = process.threadCpuUsage(then);
  expect(printed.map(({ pdf }, index) => pdf.equals(made[index]!.pdf))).toEqual(all.map(() => true));
  expect(printing.user + printing.system).toBeLessThan((making.user + making.system) / 2);
});

it("reports a fault to the caller and prints the next handout", async () => {
  const sound = Object.values(handouts)[0]!;
  await expect(printer.print({ ...sound, film: { ...sound.film, jpeg: Buffer.from("no picture") } })).rejects.toThrow(
    "image",
  );
  expect((await printer.print(sound)).pdf.subarray(0, 5).toString()).toBe("%PDF-");
});
