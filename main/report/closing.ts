import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import { sourceParts, whoseRange } from "../../core/cardiac/reference/reference-words.ts";
import { animalOf, limitsOf, rangeFor } from "./result-column.ts";
import { enumerated } from "../../core/language/say.ts";
import { hasScore } from "../../core/cardiac/agreement/reported-readings.ts";
import {
  drawLine,
  ink,
  linesOf,
  page,
  paragraph,
  rule,
  space,
  stack,
  styles,
  type Block,
  type Sheet,
} from "./sheet.ts";

export function sources(sheet: Sheet): Block {
  const {
    words,
    handout: { reading },
  } = sheet;
  if (!hasScore(reading)) return space(0);
  const { breed, isSpeciesKnown } = animalOf(sheet);
  const lines = shownMeasures(reading.score ?? {}).flatMap(({ name, label }) => {
    const range = rangeFor(sheet, name);
    if (!range) return [];
    const whose = whoseRange(range, breed, isSpeciesKnown, words.say);
    return [
      paragraph(
        sheet,
        words.say("common.withSource", {
          text: `${label} ${limitsOf(sheet, range)}, ${whose} (${words.say(`reference.band_${range.band}`)})`,
          source: sourceParts(range.source, words.say).join(", "),
        }),
        styles.small,
      ),
    ];
  });
  return lines.length === 0
    ? space(0)
    : stack([paragraph(sheet, words.say("handout.sources"), styles.label), ...lines]);
}

export function remarkInLines(sheet: Sheet): readonly Block[] {
  const { words, handout } = sheet;
  if (handout.remark.trim() === "") return [];
  return [
    ...linesOf(sheet, words.say("result.remark"), styles.heading),
    space(2),
    ...linesOf(sheet, handout.remark.trim(), styles.body),
  ];
}

export function recheck(sheet: Sheet): Block {
  const { type, words, handout } = sheet;
  if (handout.audience !== "owner") return space(0);
  const label = words.say("handout.recheck");
  return {
    heightPt: 24,
    draw(topPt) {
      const baselinePt = topPt + 14;
      type.draw(label, page.leftPt, baselinePt, styles.strong);
      const startPt = page.leftPt + type.widthPt(label, styles.strong) + 8;
      drawLine(sheet, [startPt, baselinePt + 2], [page.rightPt, baselinePt + 2], ink.quiet);
    },
  };
}

export function signature(sheet: Sheet): Block {
  const { type, words } = sheet;
  const widthPt = 200;
  const line = (leftPt: number, label: string, topPt: number) => {
    drawLine(sheet, [leftPt, topPt + 26], [leftPt + widthPt, topPt + 26], ink.quiet);
    type.draw(label, leftPt, topPt + 35, styles.label);
  };
  return {
    heightPt: 38,
    draw(topPt) {
      line(page.leftPt, words.say("handout.date"), topPt);
      line(page.rightPt - widthPt, words.say("handout.signature"), topPt);
    },
  };
}

/** Notice on the validation of the values and who released them, or that a user placed all points. */
export function notice({ words, handout: { reading, proposal } }: Sheet): string {
  const provenance = reading.provenance ?? proposal?.provenance ?? null;
  if (provenance === null) return words.say("handout.byHandNotice");
  if (!provenance.isClinicallyValidated) return words.say("handout.notValidated");
  const { release } = provenance;
  return release ? words.say("handout.released", { person: release.releasedBy, publisher: release.publisher }) : "";
}

export function pageOf({ words }: Sheet, number: number, count: number): string {
  return words.say("handout.pageOf", { number, count });
}

export function foot(sheet: Sheet): Block {
  const { words, handout, type } = sheet;
  const { reading, proposal, programVersion, printedAt, credits, audience } = handout;
  const provenance = reading.provenance ?? proposal?.provenance ?? null;
  const pack =
    provenance && audience === "veterinarian"
      ? ` · ${provenance.packName} ${provenance.packVersion} (${provenance.modelVersion}) · SHA-256 ${provenance.imageSha256.slice(0, 12)}`
      : "";
  const missing = type.missing();
  const letters =
    missing.length === 0
      ? ""
      : words.say("handout.missingLetters", { letters: missing.slice(0, 40).map(codeOf).join(", ") });
  return stack([
    rule(sheet),
    space(4),
    paragraph(sheet, letters, { ...styles.label, colour: "#b4500b" }),
    paragraph(sheet, notice(sheet), { ...styles.label, weight: 600, colour: ink.text }),
    paragraph(
      sheet,
      `Corvet ${programVersion}${pack} · ${words.say("handout.printed", { when: words.dateTime(printedAt) })}`,
      styles.small,
    ),
    paragraph(
      sheet,
      credits.length === 0 || audience === "owner"
        ? ""
        : words.say("handout.credits", { works: enumerated(credits, words.say) }),
      styles.small,
    ),
  ]);
}

function codeOf(letter: string): string {
  return `U+${(letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
}
