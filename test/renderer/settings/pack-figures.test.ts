import { expect, test } from "vitest";
import { figuresOfPack } from "../../../renderer/settings/pack-figures.ts";

const said = (figures: Readonly<Record<string, string>>) => Object.entries(figures).map(([figure, value]) => ({ figure, value }));

test("the parts of a figure come together, however a pack names them", () => {
  const evaluation = said({
    "corners found.n": "180", "corners found.share": "0.9333", "corners found.interval": "0.8871, 0.9615",
    "real, hi-res.films": "10", "real, hi-res.failed": "0",
    "real, hi-res.vhs_mae.value": "0.261", "real, hi-res.vhs_mae.low": "0.128", "real, hi-res.vhs_mae.high": "0.412",
    "auc.value": "0.8609", "auc.interval95": "0.8559, 0.8663", "auc.spreadAtN248": "0.8178, 0.9051",
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
