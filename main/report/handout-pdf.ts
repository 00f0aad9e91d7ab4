import PDFDocument from "pdfkit";
import { changeInPlainWords } from "./change-sentences.ts";
import { filmHeight, filmWidthPt } from "./film-on-paper.ts";
import { foot, notice, pageOf, recheck, remarkInLines, signature, sources } from "./closing.ts";
import { wordsOf } from "./handout-texts.ts";
import type { Handout, PrintedHandout } from "./handout.ts";
import { letterhead } from "./letterhead.ts";
import { standing, valuesColumn } from "./result-column.ts";
import { contentWidthPt, ink, page, paragraph, rule, space, stack, styles, type Block, type Sheet } from "./sheet.ts";
import { trendCharts } from "./trend-charts.ts";
import { createTypesetter } from "./typesetter.ts";

const columnGapPt = 18;
const gapPt = 11;

/**
 * Creates an A4 page. Text that would leave no room for film and values, such as a very long remark, is moved to
 * further pages. For the owner it is omitted, and a note refers to the practice.
 */
export async function handoutPdf(handout: Handout): Promise<PrintedHandout> {
  const words = wordsOf(handout.language);
  const info = {
    Title: [words.say("handout.title"), handout.patient?.name].filter(Boolean).join(": "),
    Author: handout.clinic.name,
    Creator: `Corvet ${handout.programVersion}`,
    CreationDate: handout.printedAt,
  };
  const document = new PDFDocument({
    size: "A4",
    margin: 0,
    font: "",
    lang: handout.language,
    displayTitle: true,
    info,
    autoFirstPage: false,
  });
  const finished = collect(document);
  const sheet: Sheet = { document, type: createTypesetter(document), words, handout };
  document.addPage();
  const { isShortened } = drawPages(sheet);
  document.end();
  return { pdf: await finished, isShortened };
}

function drawPages(sheet: Sheet): Pick<PrintedHandout, "isShortened"> {
  const head = letterhead(sheet);
  const columnPt = page.leftPt + filmWidthPt + columnGapPt;
  const columnWidthPt = contentWidthPt - filmWidthPt - columnGapPt;
  const values = valuesColumn(sheet, columnPt, columnWidthPt);
  const whole = stack([values, standing(sheet, columnPt, columnWidthPt)], gapPt);
  const isForOwner = sheet.handout.audience === "owner";
  const saidInLines = remarkInLines(sheet);
  const said = stack(saidInLines);
  const parts = isForOwner
    ? { sources: space(0), charts: changeForOwner(sheet), said }
    : { sources: sources(sheet), charts: trendCharts(sheet), said };
  const signed = stack([recheck(sheet), signature(sheet)], gapPt);
  // Created last, since it lists the characters without a glyph.
  const end = foot(sheet);
  const roomBeside = (middle: readonly Block[]) =>
    page.bottomPt - page.topPt - end.heightPt - head.heightPt - stack([...middle, signed], gapPt).heightPt - 3 * gapPt;
  const note = paragraph(sheet, sheet.words.say(isForOwner ? "handout.shortened" : "handout.overleaf"), styles.label);
  const gap = space(gapPt);
  // If the column is too long, the text after the values is printed below the film.
  const below = standing(sheet, page.leftPt, contentWidthPt);
  const plans = [
    { result: whole, middle: [parts.sources, parts.charts, parts.said], overleaf: [] },
    { result: values, middle: [below, parts.sources, parts.charts, parts.said], overleaf: [] },
    { result: whole, middle: [parts.sources, parts.charts, note], overleaf: saidInLines },
    { result: whole, middle: [parts.sources, note], overleaf: [parts.charts, gap, ...saidInLines] },
    { result: whole, middle: [note], overleaf: [parts.sources, gap, parts.charts, gap, ...saidInLines] },
    { result: values, middle: [below, note], overleaf: [parts.sources, gap, parts.charts, gap, ...saidInLines] },
  ];
  const fitting = plans.find(
    ({ result, middle }) => roomBeside(middle) >= Math.max(result.heightPt, filmHeight.leastPt),
  );
  const plan = filled(fitting ?? (plans.at(-1) as (typeof plans)[number]), roomBeside);
  const filmPt = Math.min(
    filmHeight.mostPt,
    Math.max(filmHeight.leastPt, roomBeside(plan.middle)),
    (filmWidthPt * sheet.handout.film.heightPx) / sheet.handout.film.widthPx,
  );
  const middleTopPt = page.topPt + head.heightPt + gapPt;
  head.draw(page.topPt);
  drawFilm(sheet, middleTopPt, filmPt);
  plan.result.draw(middleTopPt);
  stack(plan.middle, gapPt).draw(middleTopPt + Math.max(plan.result.heightPt, filmPt) + gapPt);
  signed.draw(page.bottomPt - end.heightPt - gapPt - signed.heightPt);
  end.draw(page.bottomPt - end.heightPt);
  if (!isForOwner) drawOverleaf(sheet, sheetsOf(sheet, plan.overleaf));
  return { isShortened: isForOwner && plan.overleaf.length > 0 };
}

type Plan = { readonly result: Block; readonly middle: readonly Block[]; readonly overleaf: readonly Block[] };

/** Minimum number of blocks moved to the first page, so that a heading is not left alone at its end. */
const minMovedBlocks = 3;

/** Moves the first blocks of the overleaf pages into the room left on the first page at the minimum film height. */
function filled({ result, middle, overleaf }: Plan, roomBeside: (middle: readonly Block[]) => number): Plan {
  const note = middle.at(-1);
  if (overleaf.length === 0 || !note) return { result, middle, overleaf };
  const before = middle.slice(0, -1);
  const minPt = Math.max(result.heightPt, filmHeight.leastPt);
  const withFirst = (count: number) => [...before, stack(overleaf.slice(0, count)), note];
  const fits = (count: number) => roomBeside(withFirst(count)) >= minPt;
  let count = 0;
  while (count < overleaf.length - 1 && fits(count + 1)) count += 1;
  return count < minMovedBlocks
    ? { result, middle, overleaf }
    : { result, middle: withFirst(count), overleaf: overleaf.slice(count) };
}

function changeForOwner(sheet: Sheet): Block {
  const change = changeInPlainWords(sheet);
  return change === "" ? space(0) : paragraph(sheet, change, styles.body);
}

function drawFilm({ document, handout: { film } }: Sheet, topPt: number, heightPt: number): void {
  document.rect(page.leftPt, topPt, filmWidthPt, heightPt).fill(ink.film);
  document.image(Buffer.from(film.jpeg), page.leftPt, topPt, {
    fit: [filmWidthPt, heightPt],
    align: "center",
    valign: "center",
  });
}

/**
 * Prints overflowing text on as many pages as needed. Each page states patient, clinic, page number and a lack of
 * validation, so that a loose page can be identified.
 */
function drawOverleaf(sheet: Sheet, sheets: readonly (readonly Block[])[]): void {
  sheets.forEach((blocks, index) => {
    sheet.document.addPage();
    overleafHead(sheet).draw(page.topPt);
    stack(blocks).draw(page.topPt + overleafHead(sheet).heightPt);
    const foot = overleafFoot(sheet, index + 2, sheets.length + 1);
    foot.draw(page.bottomPt - foot.heightPt);
  });
}

function sheetsOf(sheet: Sheet, blocks: readonly Block[]): readonly (readonly Block[])[] {
  const roomPt = page.bottomPt - page.topPt - overleafHead(sheet).heightPt - overleafFoot(sheet, 2, 2).heightPt - gapPt;
  const sheets: Block[][] = [];
  let usedPt = roomPt;
  for (const block of blocks) {
    if (usedPt + block.heightPt > roomPt) {
      sheets.push([]);
      usedPt = 0;
    }
    sheets.at(-1)?.push(block);
    usedPt += block.heightPt;
  }
  return sheets;
}

function overleafHead(sheet: Sheet): Block {
  const {
    words,
    handout: { patient, takenAt, clinic },
  } = sheet;
  const whose = [patient?.name, patient?.owner, patient?.uuid, takenAt && words.date(takenAt)]
    .filter(Boolean)
    .join(" · ");
  return stack(
    [
      paragraph(sheet, clinic.name, styles.label),
      paragraph(sheet, words.say("handout.title"), styles.strong),
      paragraph(sheet, whose, styles.label),
      rule(sheet),
      space(gapPt),
    ],
    gapPt / 3,
  );
}

function overleafFoot(sheet: Sheet, number: number, count: number): Block {
  return stack(
    [
      rule(sheet),
      paragraph(sheet, notice(sheet), { ...styles.label, colour: ink.text }),
      paragraph(sheet, pageOf(sheet, number, count), styles.figure),
    ],
    3,
  );
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on("data", (chunk: Buffer) => void chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
}
