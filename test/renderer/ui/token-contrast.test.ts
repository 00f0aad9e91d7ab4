import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const styles = readFileSync(new URL("../../../renderer/ui/styles/tokens.css", import.meta.url), "utf8");

function coloursOf(theme: "dark" | "light"): Readonly<Record<string, string>> {
  const [, block = ""] = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(styles) ?? [];
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): #([0-9a-f]{3}(?:[0-9a-f]{3})?);/g)].map(([, name = "", hex = ""]) => [
      name,
      hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex,
    ]),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @see WCAG 2.2, contrast ratio */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ["ground", "field", "chrome", "raised", "hover"] as const;

test.each(["dark", "light"] as const)("gives text and edges sufficient contrast in the %s theme", (theme) => {
  const colours = coloursOf(theme);
  const pairs = [
    ...["text", "text-quiet", "accent", "optimal", "good", "review", "fault"].flatMap((letters) =>
      grounds.map((ground) => [letters, ground, 4.5] as const),
    ),
    ...["text", "text-quiet", "optimal", "good", "review"].map((letters) => [letters, "accent-ground", 4.5] as const),
    ["on-accent", "accent", 4.5] as const,
    ["text", "fault-ground", 4.5] as const,
    ...grounds.map((ground) => ["line-strong", ground, 3] as const),
  ];
  const weak = pairs.flatMap(([front, behind, least]) => {
    const ratio = contrast(colours[front] ?? "", colours[behind] ?? "");
    return ratio >= least ? [] : [`${front} on ${behind}: ${ratio.toFixed(2)}`];
  });
  expect(weak).toEqual([]);
});
