import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { shownChange, shownDecimals, shownScore } from "../../core/cardiac/shown-score.ts";
import { valueBefore } from "../../core/cardiac/reference/trend.ts";
import { drawLine, ink, leadingPt, space, stack, styles, type Block, type Sheet } from "./sheet.ts";

type Column = { readonly leftPt: number; readonly widthPt: number };

/** Maximum number of printed rows; the number of omitted rows is stated. */
const maxRows = 6;

export function earlierValues(sheet: Sheet, shown: readonly KnownMeasure[], column: Column): Block {
  const { trend } = sheet.handout;
  const { words } = sheet;
  const number = (value: number | null | undefined) => words.number(shownScore(value ?? null), shownDecimals);
  const others = shown.filter(({ name }) => name !== "vhs");
  const header = [words.say("handout.day"), "VHS", words.say("trends.change"), ...others.map(({ label }) => label)];
  const series = trend.flatMap(({ at, vhs }) => (vhs === null ? [] : [{ atMs: Date.parse(at), value: vhs }]));
  const rows = trend.map((point) => {
    const before = valueBefore(series, Date.parse(point.at));
    const change = point.vhs === null || before === null ? null : shownChange(before.value, point.vhs);
    const sign = change === null || change === 0 ? "" : change > 0 ? "+" : "−";
    return [
      words.date(new Date(point.at)),
      number(point.vhs),
      change === null ? "" : `${sign}${words.number(Math.abs(change), shownDecimals)}`,
      ...others.map(({ name }) => number(point[name])),
    ];
  });
  const left = rows.length - maxRows;
  return stack([
    row(sheet, header, column, true),
    space(2),
    ...rows
      .slice(-maxRows)
      .reverse()
      .map((cells) => row(sheet, cells, column, false)),
    ...(left > 0 ? [row(sheet, [words.say("handout.moreValues", { count: left })], column, false)] : []),
  ]);
}

function row(sheet: Sheet, cells: readonly string[], { leftPt, widthPt }: Column, isHead: boolean): Block {
  const { type } = sheet;
  const style = isHead ? { ...styles.figure, weight: 600 as const } : styles.figure;
  const stepPt = (widthPt - 56) / Math.max(1, cells.length - 1);
  return {
    heightPt: leadingPt(style) + 0.6,
    draw(topPt) {
      const baselinePt = topPt + style.sizePt;
      cells.forEach((cell, index) => {
        const endPt = leftPt + 56 + index * stepPt;
        type.draw(cell, index === 0 ? leftPt : endPt - type.widthPt(cell, style), baselinePt, style);
      });
      if (!isHead) return;
      const linePt = topPt + leadingPt(style) + 1;
      drawLine(sheet, [leftPt, linePt], [leftPt + widthPt, linePt], ink.axis);
    },
  };
}
