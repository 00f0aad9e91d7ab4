import { expect, test } from "vitest";
import { figuresOfPack, shownFigures } from "../../../renderer/settings/packs/pack-figures.ts";
import { sayIn } from "../../../core/language/say.ts";
import { openBench } from "../../fixtures/desktop-bench.ts";

const said = (figures: Readonly<Record<string, string>>) =>
  Object.entries(figures).map(([figure, value]) => ({ figure, value }));

test("joins the parts of a figure, whichever names a pack uses", () => {
  const evaluation = said({
    "corners found.n": "180",
    "corners found.share": "0.9333",
    "corners found.interval": "0.8871, 0.9615",
    "real, hi-res.films": "10",
    "real, hi-res.failed": "0",
    "real, hi-res.vhs_mae.value": "0.261",
    "real, hi-res.vhs_mae.low": "0.128",
    "real, hi-res.vhs_mae.high": "0.412",
    "auc.value": "0.8609",
    "auc.interval95": "0.8559, 0.8663",
    "auc.spreadAtN248": "0.8178, 0.9051",
    prevalence: "0.4837",
  });
  expect(figuresOfPack(evaluation)).toEqual([
    { name: "corners found", estimate: "0.9333", interval: ["0.8871", "0.9615"], count: "180" },
    { name: "real, hi-res", estimate: null, interval: null, count: "10" },
    { name: "real, hi-res.vhs_mae", estimate: "0.261", interval: ["0.128", "0.412"], count: null },
    { name: "auc", estimate: "0.8609", interval: ["0.8559", "0.8663"], count: null },
    { name: "prevalence", estimate: "0.4837", interval: null, count: null },
  ]);
});

test("shows known figures in words with unit, interval and n, in order, with a count for the whole pack", () => {
  const evaluation = said({
    "simulated, phantom.vhs_mae.value": "0.117",
    "simulated, phantom.vhs_mae.low": "0.111",
    "simulated, phantom.vhs_mae.high": "0.124",
    "simulated, phantom.vhs_mae.n": "961",
    "real, hi-res.vhs_mae.value": "0.304",
    "real, hi-res.vhs_mae.low": "0.161",
    "real, hi-res.vhs_mae.high": "0.451",
    "real, hi-res.vhs_mae.n": "10",
    "real, hi-res.vhs_r.value": "0.922",
  });
  expect(
    shownFigures(evaluation, "de").map(({ name, of, estimate, interval, count }) => [
      name && sayIn("de")(name),
      of && sayIn("de")(of),
      estimate,
      interval,
      count,
    ]),
  ).toEqual([
    ["VHS, mittlerer absoluter Fehler", "echte Aufnahmen, hohe Auflösung", "0,30 v", "0,16–0,45 v", "10"],
    ["VHS, mittlerer absoluter Fehler", "simulierte Aufnahmen", "0,12 v", "0,11–0,12 v", "961"],
  ]);
  expect(
    shownFigures(said({ n: "20000", "sensitivity.value": "0.9062", "sensitivity.interval95": "0.9008, 0.9121" }), "en"),
  ).toMatchObject([{ estimate: "90.6 %", interval: "90.1–91.2 %", count: "20,000" }]);
});

test("shows the first five figures of a pack with other names verbatim", () => {
  const own = said(
    Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`vendor figure ${index}.value`, "0.25"])),
  );
  const shown = shownFigures(own, "de");
  expect([shown.length, shown[0]]).toEqual([
    5,
    { key: "vendor figure 0", name: null, of: null, estimate: "0,25", interval: "", count: "" },
  ]);
});

test("shows the figures of landmarks-corvet as on its card", async () => {
  const bench = await openBench();
  const { packs } = await bench.call("packs.list", {});
  await bench.remove();
  const { card, evaluation } = packs.find(({ name }) => name === "landmarks-corvet")!;
  const shown = shownFigures(evaluation, "en").map(
    ({ estimate, interval }) => `${estimate.replace(" v", "")} (${interval.replace("–", " to ").replace(" v", "")})`,
  );
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.filter((figure) => !card.includes(`error [v] | ${figure} |`))).toEqual([]);
});

test("shows figures of every bundled pack in words, with interval and sample size", async () => {
  const bench = await openBench();
  const { packs } = await bench.call("packs.list", {});
  await bench.remove();
  expect(
    packs.map(({ name, evaluation }) => [
      name,
      shownFigures(evaluation, "en").filter(
        ({ name: shown, interval, count }) => shown !== null && interval !== "" && /^[\d,]+$/.test(count),
      ).length,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["corners-corvet", 5],
      ["gate-corvet", 5],
      ["landmarks-corvet", 7],
      ["landmarks-pop-corvet", 5],
      ["usg-corvet", 4],
    ]),
  );
});
