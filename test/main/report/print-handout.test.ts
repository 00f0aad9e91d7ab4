import { afterAll, expect, it } from "vitest";
import { handoutPdf } from "../../../main/report/handout-pdf.ts";
import { createHandoutPrinter } from "../../../main/report/print-handout.ts";
import { turnsOfFreeLoop, turnsUntil } from "../../fixtures/event-loop.ts";
import { handouts } from "./sample-handouts.ts";

const printer = createHandoutPrinter();
afterAll(() => printer.close());

it("prints the same handout in the thread as without, while the event loop stays free", async () => {
  const trend = handouts["a correction in German with a trend"]!;
  const all = [handouts["a proposal"]!, { ...trend, clinic: { ...trend.clinic, logo: trend.film.jpeg } }];
  await printer.print(all[0]!);
  const printing = Promise.all(all.map(printer.print));
  expect(await turnsUntil(printing)).toBeGreaterThan(turnsOfFreeLoop);
  const made = await Promise.all(all.map(handoutPdf));
  expect((await printing).map(({ pdf }, index) => pdf.equals(made[index]!.pdf))).toEqual(all.map(() => true));
});

it("reports a fault to the caller and prints the next handout", async () => {
  const sound = Object.values(handouts)[0]!;
  await expect(printer.print({ ...sound, film: { ...sound.film, jpeg: Buffer.from("no picture") } })).rejects.toThrow(
    "image",
  );
  expect((await printer.print(sound)).pdf.subarray(0, 5).toString()).toBe("%PDF-");
});
