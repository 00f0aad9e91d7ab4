import type { PackSummary } from "../../core/contract/desktop/program.ts";

/** A figure of an evaluation: its estimate, where it may lie, from how many. Texts are numbers as the pack writes them; null where it says nothing. */
type PackFigure = { readonly name: string; readonly estimate: string | null; readonly interval: readonly [low: string, high: string] | null; readonly count: string | null };

const estimates = ["value", "share", "median", "vertebrae"];
const counts = ["n", "films"];

/** Puts together what packs write as `corners found.share`, `corners found.interval`, `corners found.n`. */
export function figuresOfPack(evaluation: PackSummary["evaluation"]): readonly PackFigure[] {
  const figures = new Map<string, Map<string, string>>();
  for (const { figure, value } of evaluation) {
    const [, name = figure, part = "value"] = /^(.*)\.([^.]+)$/.exec(figure) ?? [];
    figures.set(name, (figures.get(name) ?? new Map<string, string>()).set(part, value));
  }
  return [...figures].map(([name, parts]) => {
    const first = (names: readonly string[]) => names.map((part) => parts.get(part)).find((value) => value !== undefined) ?? null;
    const [low, high] = (first(["interval", "interval95"]) ?? [parts.get("low"), parts.get("high")].filter(Boolean).join(", ")).split(", ");
    return { name, estimate: first(estimates), interval: low && high ? [low, high] : null, count: first(counts) };
  });
}
