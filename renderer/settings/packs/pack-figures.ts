import type { PackSummary } from "../../../core/contract/desktop/program.ts";
import { formatsOf } from "../../ui/language/format.ts";
import type { PlainKey } from "../../../core/language/catalogue.ts";
import type { Language } from "../../../core/language/languages.ts";
import { figureNames, type FigureUnit } from "./figure-names.ts";

/** Numbers are as written by the pack; null if absent. */
type PackFigure = {
  readonly name: string;
  readonly estimate: string | null;
  readonly interval: readonly [low: string, high: string] | null;
  readonly count: string | null;
};

/** A figure for display. `name` is null if the pack's key has no translation. */
export type ShownFigure = {
  readonly key: string;
  readonly name: PlainKey | null;
  readonly of: PlainKey | null;
  readonly estimate: string;
  readonly interval: string;
  readonly count: string;
};

const estimates = ["value", "share", "median", "vertebrae"];
const counts = ["n", "films"];
/** Maximum number of figures without a translation; the card lists all. */
const maxUnnamed = 5;

/** Figures shown for a pack: the known ones in display order, or, without any, the first ones of the pack. */
export function shownFigures(evaluation: PackSummary["evaluation"], language: Language): readonly ShownFigure[] {
  const all = figuresOfPack(evaluation).filter((figure) => figure.estimate !== null);
  const common = evaluation.find(({ figure }) => figure === "n")?.value ?? null;
  const named = Object.entries(figureNames).flatMap(([key, { name, of = null, unit }]) => {
    const figure = all.find((candidate) => candidate.name === key);
    return figure
      ? [{ key, name, of, ...written(figure, unit, language), count: countText(figure.count ?? common, language) }]
      : [];
  });
  if (named.length > 0) return named;
  return all.slice(0, maxUnnamed).map((figure) => ({
    key: figure.name,
    name: null,
    of: null,
    ...written(figure, null, language),
    count: countText(figure.count, language),
  }));
}

function countText(count: string | null, language: Language): string {
  return count !== null && /^\d+$/.test(count) ? formatsOf(language).number(Number(count), 0) : (count ?? "");
}

/** Combines entries such as `corners found.share`, `corners found.interval` and `corners found.n` into one figure. */
export function figuresOfPack(evaluation: PackSummary["evaluation"]): readonly PackFigure[] {
  const figures = new Map<string, Map<string, string>>();
  for (const { figure, value } of evaluation) {
    const [, name = figure, part = "value"] = /^(.*)\.([^.]+)$/.exec(figure) ?? [];
    figures.set(name, (figures.get(name) ?? new Map<string, string>()).set(part, value));
  }
  return [...figures].map(([name, parts]) => {
    const first = (names: readonly string[]) =>
      names.map((part) => parts.get(part)).find((value) => value !== undefined) ?? null;
    const [low, high] = (
      first(["interval", "interval95"]) ?? [parts.get("low"), parts.get("high")].filter(Boolean).join(", ")
    ).split(", ");
    return { name, estimate: first(estimates), interval: low && high ? [low, high] : null, count: first(counts) };
  });
}

function written(
  { estimate, interval }: PackFigure,
  unit: FigureUnit | null,
  language: Language,
): { readonly estimate: string; readonly interval: string } {
  const { number, typed } = formatsOf(language);
  // Rounds the binary value, as the card does; Intl rounds the decimal value, which turns 0.425 into 0.43.
  const rounded = (value: number, digits: number) => number(Number(value.toFixed(digits)), digits);
  const write = (value: string) => {
    switch (unit) {
      case null:
        return typed(value);
      case "share":
        return rounded(Number(value) * 100, 1);
      case "v":
        return rounded(Number(value), 2);
      case "number":
        return rounded(Number(value), 3);
    }
  };
  const suffix = unit === "share" ? " %" : unit === "v" ? " v" : "";
  return {
    estimate: `${write(estimate ?? "")}${suffix}`,
    interval: interval ? `${interval.map(write).join("–")}${suffix}` : "",
  };
}
