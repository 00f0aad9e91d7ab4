import type { MeasureName } from "../../core/cardiac/measures/measures.ts";
import { isPlacedByPerson } from "../../core/cardiac/agreement/placed-by-person.ts";
import { readingIntervals } from "../../core/cardiac/agreement/score-errors.ts";
import { filmVerdict, unevenVerdict, type FilmVerdict } from "../../core/cardiac/verdict/film-verdict.ts";
import { verdictFacts, type VerdictFacts } from "../../core/cardiac/verdict/verdict-facts.ts";
import { verdictShapes } from "../../core/cardiac/verdict/verdict-shapes.ts";
import { reviewReasonText } from "../../core/cardiac/verdict/review-reason-text.ts";
import { verdictText } from "../../core/cardiac/verdict/verdict-text.ts";
import { edgesOutsideText } from "../../core/cardiac/drawing/within-picture.ts";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import { intervalOf } from "../../core/cardiac/score-intervals.ts";
import { comparedAnimal, type ComparedAnimal } from "../../core/cardiac/reference/compared-animal.ts";
import type { ReferenceRange } from "../../core/cardiac/reference/reference-range.ts";
import { isBorderline, placeInRange, referenceRangeFor } from "../../core/cardiac/reference/reference-ranges.ts";
import { limitsInWords } from "../../core/cardiac/reference/reference-words.ts";
import { shownAngles, shownAxes, shownDecimals, shownScore } from "../../core/cardiac/shown-score.ts";
import type { Reading } from "../../core/contract/desktop/readings.ts";
import type { Words } from "./handout-texts.ts";
import { hasScore } from "../../core/cardiac/agreement/reported-readings.ts";
import { sideBySide, ink, leadingPt, paragraph, space, stack, styles, type Block, type Sheet } from "./sheet.ts";

export function valuesColumn(sheet: Sheet, leftPt: number, widthPt: number): Block {
  const {
    words,
    handout: { audience, reading },
  } = sheet;
  const part = (text: string, style: Parameters<typeof paragraph>[2]) => paragraph(sheet, text, style, leftPt, widthPt);
  if (!hasScore(reading)) {
    return stack([
      part(words.say("handout.noValues"), styles.title),
      space(4),
      ...textsWithoutValues(sheet).map((seen) => part(seen, styles.body)),
    ]);
  }
  const score = reading.score;
  return stack([
    ...shownMeasures(score ?? {}).flatMap(({ name }) => [
      scoreBlock(sheet, name, score?.[name] ?? null, leftPt, widthPt),
      space(9),
    ]),
    ...(audience === "owner" ? [] : axisRows(sheet, leftPt, widthPt)),
  ]);
}

function axisRows(sheet: Sheet, leftPt: number, widthPt: number): readonly Block[] {
  const {
    words,
    handout: {
      reading: { score, heart },
    },
  } = sheet;
  const axes = score && shownAxes(score);
  const axis = (name: "longAxis" | "shortAxis", value: number | null) =>
    valueRow(sheet, words.say(`result.${name}`), `${words.number(value, shownDecimals)} v`, leftPt, widthPt);
  const angle = score && heart ? `${words.number(shownAngles(heart, score).drawn, 0)}°` : "–";
  return [
    axis("longAxis", axes?.long ?? null),
    axis("shortAxis", axes?.short ?? null),
    valueRow(sheet, words.say("result.axesAngle"), angle, leftPt, widthPt),
  ];
}

/** Texts instead of values: the user's reason for a rejected film, otherwise the result code and the kind of image. */
function textsWithoutValues({ words, handout: { audience, reading } }: Sheet): readonly string[] {
  const { verdict, rejectionReason, resultCode, takenFor } = reading;
  // The verdict states the reason, too, but is not printed for the owner.
  if (verdict === "rejected")
    return rejectionReason && audience === "owner" ? [words.say(`result.rejection_${rejectionReason}`)] : [];
  if (resultCode === null) return [];
  return [
    words.say(`handout.code_${resultCode as 0 | 5 | 6 | 7}`),
    takenFor ? words.say(`result.takenFor_${takenFor}`) : "",
  ];
}

export function animalOf({ handout: { patient, animalInFile } }: Sheet): ComparedAnimal {
  return comparedAnimal(patient, animalInFile ?? null);
}

export function rangeFor(sheet: Sheet, score: MeasureName): ReferenceRange | null {
  const { species, breed } = animalOf(sheet);
  return referenceRangeFor(score, species, breed, sheet.handout.ownRanges);
}

export function limitsOf({ words }: Sheet, range: ReferenceRange): string {
  return limitsInWords(range, "handout", (limit) => words.number(shownScore(limit), shownDecimals), words.say);
}

function scoreBlock(sheet: Sheet, score: MeasureName, value: number | null, leftPt: number, widthPt: number): Block {
  const {
    words,
    type,
    handout: { audience, reading },
  } = sheet;
  const range = rangeFor(sheet, score);
  const number = words.number(shownScore(value), shownDecimals);
  const placeIn = (limits: ReferenceRange, measured: number) => {
    const place = words.say(`result.place_${placeInRange(measured, limits)}`);
    const isDoubtful = isBorderline(intervalOf(readingIntervals(reading), score), limits);
    return isDoubtful ? words.say("result.borderline", { place }) : place;
  };
  const place =
    value === null ? words.say("handout.notMeasured") : range ? placeIn(range, value) : words.say("findings.noRange");
  const interval = audience === "owner" ? "" : intervalText(sheet, score);
  const big: Block = {
    heightPt: styles.score.sizePt * 1.16,
    draw(topPt) {
      const baselinePt = topPt + styles.score.sizePt;
      type.draw(number, leftPt, baselinePt, styles.score);
      const unitPt = leftPt + type.widthPt(number, styles.score) + 4;
      if (value === null) return;
      const unit = { sizePt: 12, colour: ink.quiet };
      type.draw("v", unitPt, baselinePt, unit);
      type.draw(interval, unitPt + type.widthPt("v", unit) + 8, baselinePt, styles.label);
    },
  };
  const limits = range ? `${words.say("handout.reference")} ${limitsOf(sheet, range)}` : "";
  return stack([
    paragraph(sheet, words.say(`handout.${score}`), styles.label, leftPt, widthPt),
    big,
    ...(range && value !== null ? [space(2), scale(sheet, value, range, leftPt, widthPt), space(3)] : []),
    paragraph(sheet, place, styles.heading, leftPt, widthPt),
    paragraph(sheet, limits, styles.label, leftPt, widthPt),
  ]);
}

function intervalText({ words, handout: { reading } }: Sheet, score: MeasureName): string {
  const interval = intervalOf(readingIntervals(reading), score);
  if (!interval) return "";
  const { low, high, coverage } = interval;
  return `${words.number(low, 1)}–${words.number(high, 1)} v (${words.number(100 * coverage, 0)} %)`;
}

function scale(
  { document }: Sheet,
  value: number,
  { low, high }: ReferenceRange,
  leftPt: number,
  widthPt: number,
): Block {
  const from = low ?? 0;
  const reach = (high - from) * 0.75;
  const [least, most] = [Math.min(from - (low === null ? 0 : reach), value), Math.max(high + reach, value)];
  const at = (score: number) => leftPt + ((score - least) / (most - least)) * widthPt;
  return {
    heightPt: 9,
    draw(topPt) {
      document.rect(leftPt, topPt + 3, widthPt, 3).fill("#eceff2");
      document
        .rect(at(from), topPt + 3, at(high) - at(from), 3)
        .lineWidth(0.6)
        .fillAndStroke("#b9c3cc", ink.axis);
      document.rect(Math.min(Math.max(at(value) - 1.25, leftPt), leftPt + widthPt - 2.5), topPt, 2.5, 9).fill(ink.text);
    },
  };
}

function valuesInWords({ number }: Words, { score }: Reading): string {
  const values = shownMeasures(score ?? {}).map(({ name, label, unit }) => {
    const value = shownScore(score?.[name] ?? null);
    return `${label} ${number(value, shownDecimals)}${value === null ? "" : ` ${unit}`}`;
  });
  return values.join(", ");
}

function valueRow({ type }: Sheet, label: string, value: string, leftPt: number, widthPt: number): Block {
  return {
    heightPt: leadingPt(styles.body),
    draw(topPt) {
      const baselinePt = topPt + styles.body.sizePt;
      type.draw(label, leftPt, baselinePt, { ...styles.body, colour: ink.quiet });
      type.draw(value, leftPt + widthPt - type.widthPt(value, styles.body), baselinePt, styles.body);
    },
  };
}

const gradeColours = {
  reliable: "#1f7a4d",
  usable: "#6b7000",
  check: "#b4500b",
  unusable: "#a4261d",
  placed: ink.text,
  rejected: ink.text,
} as const;

function verdictLine(sheet: Sheet, verdict: FilmVerdict, leftPt: number, widthPt: number): Block {
  const { document, words } = sheet;
  const colour = gradeColours[verdict.grade];
  const style = { ...styles.strong, colour };
  const markPt = style.sizePt * 0.8;
  const indentPt = markPt + 4;
  const mark: Block = {
    heightPt: leadingPt(style),
    draw: (topPt) =>
      document
        .save()
        .translate(leftPt, topPt + style.sizePt - markPt)
        .scale(markPt / 16)
        .path(verdictShapes[verdict.grade])
        .lineWidth(1.6)
        .fillAndStroke(colour, colour)
        .restore(),
  };
  const text = verdictText(verdict, words.say, words.number);
  return sideBySide([mark, paragraph(sheet, text, style, leftPt + indentPt, widthPt - indentPt)]);
}

function factsOf(reading: Reading, proposal: Reading | null): VerdictFacts {
  return verdictFacts(
    reading,
    [proposal, reading].filter((one) => one !== null),
  );
}

/** Reliability of the values in one sentence, for the owner; empty unless the film is to be checked. */
function standingForOwner(sheet: Sheet, leftPt: number, widthPt: number): Block {
  const {
    words,
    handout: { reading, proposal },
  } = sheet;
  const grade = hasScore(reading) ? filmVerdict(factsOf(reading, proposal), rangeFor(sheet, "vhs"))?.grade : null;
  const text = grade === "check" || grade === "unusable" ? words.say("handout.uncertainForOwner") : "";
  return paragraph(sheet, text, styles.body, leftPt, widthPt);
}

export function standing(sheet: Sheet, leftPt: number, widthPt: number): Block {
  if (sheet.handout.audience === "owner") return standingForOwner(sheet, leftPt, widthPt);
  const {
    words,
    handout: { reading, proposal },
  } = sheet;
  const { verdict, who, popDetected, ruler } = reading;
  const reasons = verdict === "rejected" ? [] : reading.reviewReasons;
  const part = (text: string, style: Parameters<typeof paragraph>[2]) => paragraph(sheet, text, style, leftPt, widthPt);
  const isByPerson = isPlacedByPerson(reading);
  const judged = factsOf(reading, proposal);
  const filmsVerdict = hasScore(reading) || judged.rejection ? filmVerdict(judged, rangeFor(sheet, "vhs")) : null;
  // The text of these verdicts names the user who decided.
  const isSigned = filmsVerdict?.grade === "rejected" || (filmsVerdict?.grade === "placed" && verdict !== "accepted");
  const isAboutVertebra = filmsVerdict?.grade === "check" && filmsVerdict.about === "vertebra";
  const outrankedVertebra = hasScore(reading) && !isAboutVertebra ? unevenVerdict(judged) : null;
  const changed =
    proposal && isByPerson && hasScore(reading)
      ? words.say("handout.proposal", { values: valuesInWords(words, proposal) })
      : "";
  const edgesOutside = ruler && hasScore(reading) ? edgesOutsideText(ruler.edges, reading.frame, words.say) : null;
  return stack(
    [
      ...(verdict && !isSigned ? [part(words.say(`handout.${verdict}`, { who: who ?? "" }), styles.strong)] : []),
      part(changed, styles.label),
      ...(filmsVerdict
        ? [
            verdictLine(sheet, filmsVerdict, leftPt, widthPt),
            part(
              judged.tier === "review" && reasons.length === 0 ? words.say("handout.reviewMeaning") : "",
              styles.label,
            ),
          ]
        : []),
      ...reasons.flatMap((reason) => [space(1), part(reviewReasonText(reason, words.say, words.number), styles.label)]),
      ...(outrankedVertebra ? [part(verdictText(outrankedVertebra, words.say, words.number), styles.label)] : []),
      part(popDetected ? words.say("handout.photograph") : "", styles.label),
      part(
        ruler?.kind === "fallback" && !reasons.some(({ kind }) => kind === "fallback_ruler")
          ? words.say("handout.fallback")
          : "",
        styles.label,
      ),
      part(edgesOutside ?? "", styles.label),
    ],
    1,
  );
}
