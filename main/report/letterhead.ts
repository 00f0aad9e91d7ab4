import { ageAt, ageText } from "../../core/age.ts";
import { localDay } from "../../core/local-day.ts";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import {
  sideBySide,
  contentWidthPt,
  ink,
  leadingPt,
  page,
  paragraph,
  rule,
  space,
  stack,
  styles,
  type Block,
  type Sheet,
} from "./sheet.ts";

const logo = { widthPt: 150, heightPt: 46 } as const;

export function letterhead(sheet: Sheet): Block {
  const { words, handout } = sheet;
  const shown = shownMeasures(handout.reading.score ?? {});
  const about =
    handout.audience === "owner"
      ? words.say("handout.aboutForOwner")
      : shown.map(({ name }) => words.say(`handout.about_${name}`)).join(" ");
  return stack([
    clinicBlock(sheet),
    space(6),
    rule(sheet),
    space(10),
    paragraph(sheet, words.say("handout.title"), styles.title),
    space(2),
    paragraph(sheet, about, styles.label),
    space(9),
    facts(sheet),
  ]);
}

function clinicBlock(sheet: Sheet): Block {
  const {
    document,
    handout: { clinic },
  } = sheet;
  const widthPt = contentWidthPt - (clinic.logo ? logo.widthPt + 16 : 0);
  const texts = stack(
    [
      paragraph(sheet, clinic.name, { sizePt: 12.5, weight: 600, colour: ink.text }, page.leftPt, widthPt),
      paragraph(sheet, clinic.address.trim(), { sizePt: 8.5, colour: ink.quiet }, page.leftPt, widthPt),
    ],
    1,
  );
  return {
    heightPt: Math.max(texts.heightPt, clinic.logo ? logo.heightPt : 0),
    draw(topPt) {
      texts.draw(topPt);
      if (clinic.logo)
        document.image(Buffer.from(clinic.logo), page.rightPt - logo.widthPt, topPt, {
          fit: [logo.widthPt, logo.heightPt],
          align: "right",
        });
    },
  };
}

function facts(sheet: Sheet): Block {
  const {
    words,
    handout: { audience, patient, takenAt, reading, fileName },
  } = sheet;
  const animal = patient
    ? [patient.species ? words.say(`films.species_${patient.species}`) : "", patient.breed].filter(
        (part) => part !== "",
      )
    : [];
  const rows = [
    [
      [words.say("films.patient"), patient?.name || "–"],
      [words.say("handout.animal"), animal.join(", ") || "–"],
      [words.say("films.owner"), patient?.owner || "–"],
      [words.say("handout.identifier"), patient?.uuid || "–"],
    ],
    audience === "owner"
      ? animalFacts(sheet)
      : [
          [words.say("handout.taken"), takenAt ? words.date(takenAt) : "–"],
          [words.say("handout.read"), words.dateTime(new Date(reading.at))],
          [words.say("handout.reader"), reading.who ?? words.say("handout.program")],
          [words.say("handout.file"), fileName],
        ],
  ] as const;
  return stack(
    rows.map((row, index) =>
      sideBySide(row.map(([label, value], column) => fact(sheet, label, value, column, index === 0 && column === 0))),
    ),
    6,
  );
}

function animalFacts({
  words,
  handout: { patient, takenAt, printedAt },
}: Sheet): readonly (readonly [string, string])[] {
  const { sex = null, isNeutered = null, birthDate = null, weightKg = null } = patient ?? {};
  const age = birthDate === null ? null : ageAt(birthDate, localDay(takenAt ?? printedAt));
  const neutered = isNeutered === null ? "" : words.say(`films.neutered_${isNeutered ? "yes" : "no"}`);
  return [
    [words.say("handout.taken"), takenAt ? words.date(takenAt) : "–"],
    [words.say("studies.age"), age ? ageText(age, words.say) : "–"],
    [words.say("films.sex"), [sex ? words.say(`films.sex_${sex}`) : "", neutered].filter(Boolean).join(", ") || "–"],
    [words.say("handout.weight"), weightKg === null ? "–" : `${words.number(weightKg, 1)} kg`],
  ];
}

const columns = 4;
const gutterPt = 12;

function fact(sheet: Sheet, label: string, value: string, column: number, isStrong: boolean): Block {
  const widthPt = (contentWidthPt - gutterPt * (columns - 1)) / columns;
  const leftPt = page.leftPt + column * (widthPt + gutterPt);
  const wanted = paragraph(sheet, value, isStrong ? styles.strong : styles.body, leftPt, widthPt);
  // Very long values are printed smaller instead of truncated.
  const shown =
    wanted.heightPt > 3 * leadingPt(styles.strong)
      ? paragraph(sheet, value, { ...styles.small, colour: ink.text }, leftPt, widthPt)
      : wanted;
  return stack([paragraph(sheet, label, styles.label, leftPt, widthPt), shown]);
}
