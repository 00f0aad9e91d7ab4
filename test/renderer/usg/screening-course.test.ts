import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import type { UsgScreening } from "../../../core/contract/desktop/usg.ts";
import { ScreeningCourse } from "../../../renderer/usg/screening-course.tsx";

const screening = (day: number, classification: "adequate" | "impaired", thresholdImpaired: number) =>
  ({
    ...{ id: String(day), at: `2026-11-0${day}T08:00:00.000Z`, thresholdImpaired, release: null },
    result: { classification, probability_impaired: 0.4, risk_tier: "moderate_high" },
  }) as unknown as UsgScreening;

afterEach(() => vi.unstubAllGlobals());

test("rates each screening by the model of its time", () => {
  vi.stubGlobal("document", { documentElement: null });
  vi.stubGlobal("getComputedStyle", () => ({ fontSize: "16px", getPropertyValue: () => "1" }));
  const screenings = [screening(3, "impaired", 0.35), screening(2, "adequate", 0.5)];
  const drawn = renderToStaticMarkup(createElement(ScreeningCourse, { screenings, onOpen: () => undefined }));
  expect(drawn.match(/from \d+/g)?.filter((text, index, all) => all.indexOf(text) === index)).toEqual([
    "from 35",
    "from 50",
  ]);
});
