import { hasTwoVisits, rateOfChange, slopesInWords, type SeriesValue } from "../../core/cardiac/reference/trend.ts";
import { measures, type KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { rangeFor } from "./result-column.ts";
import { earlierValues } from "./earlier-values.ts";
import { drawnInterval } from "../../core/cardiac/agreement/score-errors.ts";
import { seriesOf } from "../../core/contract/desktop/trends/trend-series.ts";
import { changeSentences } from "./change-sentences.ts";
import {
  sideBySide,
  contentWidthPt,
  drawLine,
  ink,
  page,
  paragraph,
  space,
  stack,
  styles,
  type Block,
  type Sheet,
} from "./sheet.ts";

type Frame = { readonly leftPt: number; readonly widthPt: number };

const chartHeightPt = 74;
const axisPt = 26;
const gapPt = 22;
const tableWidthPt = 168;
/** Width of the table below the charts, where it has one more column. */
const wideTableWidthPt = 240;
/** Maximum number of charts beside the table; with more charts it is printed below them. */
const maxChartsBesideTable = 2;

/** Charts of all measures over time with their reference ranges, and a table of the values; empty before two visits. */
export function trendCharts(sheet: Sheet): Block {
  const { trend } = sheet.handout;
  const shown = measures
    .map((measure) => ({ measure, values: seriesOf(trend, measure.name) }))
    .filter(({ values }) => hasTwoVisits(values));
  if (shown.length === 0) return space(0);
  const isBeside = shown.length <= maxChartsBesideTable;
  const roomPt = contentWidthPt - (isBeside ? tableWidthPt + gapPt : 0);
  const widthPt = (roomPt - gapPt * (shown.length - 1)) / shown.length;
  const charts = shown.map(({ measure, values }, index) =>
    chart(sheet, measure, values, { leftPt: page.leftPt + index * (widthPt + gapPt), widthPt }),
  );
  const table = earlierValues(
    sheet,
    shown.map(({ measure }) => measure),
    isBeside
      ? { leftPt: page.rightPt - tableWidthPt, widthPt: tableWidthPt }
      : { leftPt: page.leftPt, widthPt: wideTableWidthPt },
  );
  const changes = changeSentences(sheet).join(" · ");
  return stack([
    paragraph(sheet, sheet.words.say("findings.block_trend"), styles.heading),
    ...(changes === "" ? [] : [paragraph(sheet, changes, styles.label)]),
    space(3),
    ...(isBeside ? [sideBySide([...charts, table])] : [sideBySide(charts), space(6), table]),
  ]);
}

function chart(sheet: Sheet, measure: KnownMeasure, values: readonly SeriesValue[], { leftPt, widthPt }: Frame): Block {
  const { words } = sheet;
  const rate = rateOfChange(measure.name, values);
  const [perMonth = "", low = "", high = ""] = rate ? slopesInWords(rate, words.number) : [];
  const change = rate ? `, ${words.say("handout.perMonth", { change: perMonth, low, high })}` : "";
  const name = paragraph(sheet, `${measure.label}${change}`, styles.label, leftPt, widthPt);
  return {
    heightPt: name.heightPt + chartHeightPt + 16,
    draw(topPt) {
      name.draw(topPt);
      drawChart(
        sheet,
        measure,
        values,
        { leftPt: leftPt + axisPt, widthPt: widthPt - axisPt },
        topPt + name.heightPt + 6,
      );
    },
  };
}

function drawChart(
  sheet: Sheet,
  { name, paperColour }: KnownMeasure,
  values: readonly SeriesValue[],
  { leftPt, widthPt }: Frame,
  topPt: number,
): void {
  const { document, type, words } = sheet;
  const range = rangeFor(sheet, name);
  const intervals = values.map(({ value, errors }) => drawnInterval(value, errors, name));
  const all = [
    ...values.map(({ value }) => value),
    ...intervals.flatMap((interval) => (interval ? [interval.low, interval.high] : [])),
    ...(range ? [range.low ?? range.high, range.high] : []),
  ];
  // The axis starts at a multiple of 0.5 and spans whole vertebrae, so that its middle has at most one decimal.
  const least = Math.floor(Math.min(...all) * 2 - 0.4) / 2;
  const most = least + Math.max(1, Math.ceil(Math.max(...all) + 0.2 - least));
  const [fromMs, toMs] = [Math.min(...values.map(({ atMs }) => atMs)), Math.max(...values.map(({ atMs }) => atMs))];
  const x = (atMs: number) => leftPt + 4 + ((atMs - fromMs) / (toMs - fromMs)) * (widthPt - 8);
  const y = (value: number) => topPt + ((most - value) / (most - least)) * chartHeightPt;
  if (range) document.rect(leftPt, y(range.high), widthPt, y(range.low ?? least) - y(range.high)).fill(ink.band);
  // The fill of the range may be lost in a photocopy; the dashed limits and the axes remain.
  for (const limit of range ? [range.high, ...(range.low === null ? [] : [range.low])] : [])
    document
      .moveTo(leftPt, y(limit))
      .lineTo(leftPt + widthPt, y(limit))
      .lineWidth(0.7)
      .dash(3, { space: 2 })
      .strokeColor(ink.axis)
      .stroke()
      .undash();
  document
    .moveTo(leftPt, topPt)
    .lineTo(leftPt, topPt + chartHeightPt)
    .lineTo(leftPt + widthPt, topPt + chartHeightPt)
    .lineWidth(0.8)
    .strokeColor(ink.axis)
    .stroke();
  for (const value of [least, (least + most) / 2, most]) {
    drawLine(sheet, [leftPt, y(value)], [leftPt + widthPt, y(value)], ink.line, 0.4);
    const label = words.number(value, 1);
    type.draw(label, leftPt - 5 - type.widthPt(label, styles.small), y(value) + 2.4, styles.figure);
  }
  values.forEach(({ atMs, value }, index) =>
    index === 0 ? document.moveTo(x(atMs), y(value)) : document.lineTo(x(atMs), y(value)),
  );
  document.lineWidth(1.1).strokeColor(paperColour).stroke();
  intervals.forEach((interval, index) => {
    const at = x(values[index]?.atMs ?? fromMs);
    if (interval) document.moveTo(at, y(interval.low)).lineTo(at, y(interval.high)).lineWidth(0.6).stroke();
  });
  for (const { atMs, value } of values) document.circle(x(atMs), y(value), 2.1).fill(paperColour);
  const [first, last] = [words.date(new Date(fromMs)), words.date(new Date(toMs))];
  type.draw(first, leftPt, topPt + chartHeightPt + 10, styles.figure);
  type.draw(last, leftPt + widthPt - type.widthPt(last, styles.figure), topPt + chartHeightPt + 10, styles.figure);
}
