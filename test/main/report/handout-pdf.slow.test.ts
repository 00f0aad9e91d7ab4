import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { filmOnPaper } from "../../../main/report/film-on-paper.ts";
import { handoutPdf } from "../../../main/report/handout-pdf.ts";
import type { Handout } from "../../../main/report/handout.ts";
import { styles } from "../../../main/report/sheet.ts";
import { openFontBook } from "../../../main/imaging/text/font-book.ts";
import { runTool } from "../../fixtures/process/run-tool.ts";
import { correction, proposal } from "../dicom/results/subjects.ts";
import { errors, forOwner, handout, handouts } from "./sample-handouts.ts";

const isMissing = !existsSync("/usr/bin/pdftoppm");
if (isMissing) console.warn("skipped: pdftoppm and pdftotext are missing (Debian: poppler-utils)");

function poppler(program: string, pdf: Uint8Array, ...options: string[]): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-pdf-"));
  try {
    const file = path.join(folder, "sheet.pdf");
    writeFileSync(file, pdf);
    const { status, stdout, stderr } = runTool(program, [...options, file, ...(program === "pdftoppm" ? [] : ["-"])]);
    expect([program, status, stderr]).toEqual([program, 0, ""]);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const made = new Map<Handout, ReturnType<typeof handoutPdf>>();
function madeOf(of: Handout): ReturnType<typeof handoutPdf> {
  const pdf = made.get(of) ?? handoutPdf(of);
  made.set(of, pdf);
  return pdf;
}

const pdfOf = async (of: Handout) => (await madeOf(of)).pdf;
const texts = new WeakMap<Uint8Array, string>();
function textOf(pdf: Uint8Array): string {
  const text = texts.get(pdf) ?? poppler("pdftotext", pdf).toString();
  texts.set(pdf, text);
  return text;
}

const flowOf = async (of: Handout) => textOf(await pdfOf(of)).replace(/\s+/g, " ");

type Word = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly text: string;
};

function wordsOf(pdf: Uint8Array): Word[][] {
  const pages = poppler("pdftotext", pdf, "-bbox").toString().split("<page ").slice(1);
  const word = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g;
  return pages.map((page) =>
    [...page.matchAll(word)].map(([, left, top, right, bottom, text]) => ({
      left: Number(left),
      top: Number(top),
      right: Number(right),
      bottom: Number(bottom),
      text: text!,
    })),
  );
}

/** Pairs of overlapping words. Boxes are reduced, since they are taller than the letters. */
function overlaps(words: readonly Word[]): string[] {
  const inner = ({ left, top, right, bottom }: Word) => ({
    left: left + 0.5,
    right: right - 0.5,
    top: top + (bottom - top) * 0.3,
    bottom: bottom - (bottom - top) * 0.3,
  });
  return words.flatMap((one, index) =>
    words
      .slice(index + 1)
      .filter((other) => {
        const [a, b] = [inner(one), inner(other)];
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      })
      .map((other) => `${one.text} | ${other.text}`),
  );
}

describe.skipIf(isMissing)("a handout", () => {
  it.each(Object.keys(handouts))("of %s stays within its margins without overlaps", async (name) => {
    const printed = wordsOf(await pdfOf(handouts[name]!));
    for (const words of printed) {
      expect(words.length).toBeGreaterThan(5);
      expect(
        words.filter(({ left, top, right, bottom }) => left < 41 || right > 555 || top < 30 || bottom > 815),
      ).toEqual([]);
      expect(overlaps(words)).toEqual([]);
    }
    const pages = {
      "names and texts of maximum length": 2,
      "a remark of many lines": 5,
      "all measures, many reasons and a long address in French": 2,
    }[name];
    expect(printed).toHaveLength(pages ?? 1);
  });

  it("shortens a long remark to one page for the owner and refers to the practice", async () => {
    const text = textOf(await pdfOf(handouts["the owner with a remark of many lines"]!));
    expect(text.match(/zwei/g)!.length).toBeGreaterThan(5);
    expect(text).toContain("Shortened to one page. The practice has the complete findings.");
    expect(textOf(await pdfOf(forOwner))).not.toContain("Shortened");
  });

  it.each([
    ["the owner with a remark of many lines", true],
    ["a remark of many lines", false],
    ["a proposal", false],
  ])("is shortened for %s: %s", async (name, isShortened) =>
    expect(await madeOf(handouts[name]!)).toMatchObject({ isShortened }),
  );

  it("prints values with range and source, patient, reader, versions and the lack of validation", async () => {
    const text = await flowOf(handout);
    for (const said of [
      "Sommer Veterinary Practice",
      "12 Pond Street",
      "Bello",
      "Dog, Cavalier",
      "Mary Stone",
      "P-17",
      "20 Nov 2026",
      "bello-lateral.dcm",
      "10.1 v",
      "9.5–10.8 v (80 %)",
      "Reference 9.0–11.2 v",
      "within the range",
      "2.3 v",
      "5.2 v",
      "4.9 v",
      "83°",
      "Reliable",
      "Bagardi et al. 2022",
      "mean ± 2 SD",
      "Not clinically validated.",
      "Corvet 0.1.0 · landmarks 1.2.0 (3.4.0-ensemble)",
      "Networks trained on, among others: A collection of films, CC BY 4.0: 5 films of dogs",
      "Place, date",
      "Veterinarian",
    ])
      expect(text).toContain(said);
  });

  it("prints the verdict with the mark and the colour of the viewer", async () => {
    const pdf = await pdfOf(handout);
    const word = wordsOf(pdf)[0]!.find(({ text }) => text === "Reliable")!;
    const scale = 4;
    const page = sharp(poppler("pdftoppm", pdf, "-png", "-r", String(72 * scale), "-singlefile"));
    const at = { left: (word.left - 12) * scale, top: word.top * scale, width: 11 * scale, height: 12 * scale };
    const middle = Object.fromEntries(Object.entries(at).map(([side, px]) => [side, Math.round(px)]));
    const { channels } = await sharp(await page.extract(middle as typeof at).toBuffer()).stats();
    const [red, green] = channels.map(({ mean }) => mean);
    expect(green! - red!).toBeGreaterThan(10);
  });

  it("prints the animal's data and a recheck line for the owner, without technical details", async () => {
    const text = await flowOf(forOwner);
    for (const said of ["8 years 3 months", "male, neutered", "9.4 kg", "10.1 v", "within the range", "Next recheck"])
      expect(text).toContain(said);
    expect(text).toContain("Not clinically validated.");
    for (const figure of ["0.009", "80 %", "Long axis", "landmarks", "CC BY", "SHA-256", "Bagardi"])
      expect(text).not.toContain(figure);
  });

  it("compares with the clinic's own range and states its source", async () => {
    const own = {
      species: "dog",
      breed: "CKCS",
      measure: "vhs",
      low: 8.9,
      high: 9.9,
      source: "Own data, 2025",
    } as const;
    const entered = { id: crypto.randomUUID(), enteredBy: "Dr Sommer", enteredAt: "2026-11-20T08:00:00.000Z" };
    const text = await flowOf({ ...handout, ownRanges: [{ ...own, ...entered }] });
    expect(text).toContain("Reference 8.9–9.9 v");
    expect(text).toContain("VHS 8.9–9.9 v, Cavalier (limits of this practice): Own data, 2025");
    expect(text).toContain("VLAS 1.2–2.4 v, Cavalier (mean ± 2 SD)");
  });

  it("prints a left atrium of 2.5 v as above a range below 2.5 v", async () => {
    const reading = { ...proposal, intervals: null, score: { ...proposal.score!, vlas: 2.46 } };
    const text = await flowOf({ ...handout, patient: { ...handout.patient!, breed: "" }, reading });
    for (const said of ["2.5 v", "Reference below 2.5 v", "above the range"]) expect(text).toContain(said);
  });

  it("uses the file's species for a film without a patient, and states an unknown species", async () => {
    const animals = [{ species: "cat" }, null] as const;
    const [cat, unknown] = await Promise.all(
      animals.map(async (animalInFile) => textOf(await pdfOf({ ...handout, patient: null, animalInFile }))),
    );
    expect([cat?.includes("cats in general"), cat?.includes("dogs in general")]).toEqual([true, false]);
    const patient = { ...handout.patient!, species: null };
    const named = textOf(await pdfOf({ ...handout, patient: { ...patient, breed: "" } }));
    for (const text of [unknown, named]) expect(text).toMatch(/VHS 8\.5–10\.5 v, species unknown, dogs in general/);
    const ofBreed = textOf(await pdfOf({ ...handout, patient }));
    expect(ofBreed).toMatch(/VHS 9\.0–11\.2 v, species unknown, Cavalier/);
  });

  it("shows no trend for films of a single visit", async () => {
    const ofOneVisit = [
      { at: "2026-11-20T08:00:00.000Z", vhs: 10.1, vlas: 2.3, errors },
      { at: "2026-11-20T08:02:00.000Z", vhs: 10.7, vlas: 2.4, errors },
    ];
    const courses = [ofOneVisit, [...ofOneVisit, { at: "2026-05-20T08:00:00.000Z", vhs: 10, vlas: 2.2, errors }]].map(
      async (trend) => textOf(await pdfOf({ ...handout, trend })).includes("Trend"),
    );
    expect(await Promise.all(courses)).toEqual([false, true]);
  });

  it("prints the same in German, with correction, proposal, trend and remark", async () => {
    const text = await flowOf(handouts["a correction in German with a trend"]!);
    for (const said of [
      "Herzgröße im Röntgenbild",
      "Hund, Cavalier",
      "Familie Groß",
      "20.11.2026",
      "10,1 v",
      "Referenz 9,0–11,2 v",
      "im Bereich",
      "9,7–10,5 v (80 %)",
      "Korrigiert von Dr. Jürgen Weiß: Das ganze Intervall liegt im Referenzbereich",
      "Vorschlag des Programms: VHS 10,1 v, VLAS 2,3 v",
      "Verlauf",
      "01.11.2025",
      "Größer als 2025",
      "Nicht klinisch validiert.",
      "Ort, Datum",
    ])
      expect(text).toContain(said);
  });

  it("does not present an accepted correction as the networks' result", async () => {
    const reading = { ...correction, verdict: "accepted" } as const;
    const text = await flowOf({ ...handout, reading, proposal });
    expect(text).toContain("Accepted by Dr. Jürgen Weiß");
    expect(text).toContain("Corrected: the whole interval is within the range");
    expect(text).toContain("Proposed by the program: VHS 10.1 v, VLAS 2.3 v");
    expect(text).not.toMatch(/Reliable|Usable/);
  });

  it("prints the reason for missing values", async () => {
    const [gate, person] = [
      textOf(await pdfOf(handouts["a film that the gate rejected"]!)),
      textOf(await pdfOf(handouts["a film that a user rejected"]!)),
    ];
    expect([gate.includes("not recognised as a"), gate.includes("VHS)") && /\d\.\d v/.test(gate)]).toEqual([
      true,
      false,
    ]);
    expect([person.includes("Rejected by Dr. Weber"), person.includes("No values"), person.includes("10.1 v")]).toEqual(
      [true, true, false],
    );
    const rejected = handouts["a film that a user rejected"]!;
    const reading = { ...rejected.reading, rejectionReason: "quality" } as const;
    const [forColleague, forOwner] = await Promise.all(
      (["veterinarian", "owner"] as const).map((audience) => flowOf({ ...rejected, reading, audience })),
    );
    expect(forColleague?.match(/Poor image quality/g)).toHaveLength(1);
    expect(forColleague).toContain("Rejected by Dr. Weber: Poor image quality");
    expect(forOwner?.match(/Poor image quality/g)).toHaveLength(1);
    const takenBack = { ...reading, verdict: null, source: "model", resultCode: null, heart: null } as const;
    expect(textOf(await pdfOf({ ...rejected, reading: takenBack }))).toContain("No values");
  });

  it("prints reasons for review with value, unit and limit in the handout's language", async () => {
    const [direct, photograph, withoutValues, accepted] = [
      await flowOf(handouts["a film to be reviewed"]!),
      await flowOf(handouts["a photograph to be reviewed in German"]!),
      await flowOf(handouts["a film without values in German"]!),
      await flowOf(handouts["a film to be reviewed and accepted"]!),
    ];
    const ofDirect = [
      "so A–B was divided into six equal parts.",
      "disagree on the score by about 0.172 v, review from 0.11 v.",
      "spread 0.0092 of the film’s longest side, review from 0.008.",
    ];
    for (const words of ["Check the ruler on the vertebrae", ...ofDirect]) expect(direct).toContain(words);
    for (const words of ["Accepted by Dr. Weber", ...ofDirect]) expect(accepted).toContain(words);
    for (const words of [
      "Wirbelmaßstab prüfen",
      "A–B wurde in sechs gleiche Teile geteilt.",
      "keinen VLAS zwischen 0,5 und 6 v.",
      "im Winkel von 62,6°, mehr als 15° vom rechten Winkel entfernt.",
      "(5 v) ist nicht länger als die Querachse (5,19 v).",
    ])
      expect(photograph).toContain(words);
    expect(withoutValues).toContain(
      "Keine Werte VHS und VLAS waren nicht berechenbar. Die gefundenen Punkte ergeben keinen VHS zwischen 4 und 20 v.",
    );
    // The general texts are omitted if the reasons are printed.
    expect(
      [direct, photograph].filter((text) =>
        /The networks disagree or|Die Netze sind uneins oder|A to B in six|A bis B in sechs/.test(text),
      ),
    ).toEqual([]);
  });

  it("names an uneven vertebra once for the veterinarian, also below another verdict", async () => {
    const at = { x: 0, y: 0 };
    const uneven = [{ index: 2, from: at, to: at, share: 0.8 }];
    const said = (of: Handout) => flowOf({ ...of, reading: { ...of.reading, uneven } });
    const [outranked, alone, rejected, owner] = [
      await said(handouts["a film to be reviewed"]!),
      await said(handout),
      await said(handouts["a film that a user rejected"]!),
      await said(forOwner),
    ];
    expect(outranked).toContain("Check the ruler on the vertebrae");
    const count = (text: string) => text.match(/Check T6: 80\s?% of its neighbours’ length/g)?.length ?? 0;
    expect([outranked, alone, rejected, owner].map(count)).toEqual([1, 1, 0, 0]);
  });

  it("marks an older reading without reasons for review", async () => {
    const reading = { ...handouts["a film to be reviewed"]!.reading, reviewReasons: [] };
    const text = await flowOf({ ...handout, reading });
    for (const words of [
      "Check all points",
      "The networks disagree, or the ruler is uncertain.",
      "Ruler: A to B in six equal parts.",
    ])
      expect(text).toContain(words);
  });

  it("names edges of the ruler outside the film if there are values", async () => {
    const edges = handout.reading.ruler!.edges.map(({ x, y }) => ({ x: x + 350, y }));
    const reading = { ...handout.reading, ruler: { ...handout.reading.ruler!, edges } };
    const said = (change: object) => flowOf({ ...handout, reading: { ...reading, ...change } });
    expect(await said({})).toContain("Outside the film, estimated: cranial edge of T8, T9");
    expect(await said({ verdict: "rejected", who: "Dr. Weber" })).not.toContain("Outside the film");
    expect(textOf(await pdfOf(handout))).not.toContain("Outside the film");
  });

  it("prints no reasons for a rejected film", async () => {
    const reading = {
      ...handouts["a film to be reviewed"]!.reading,
      source: "person",
      verdict: "rejected",
      who: "Dr. Weber",
    } as const;
    expect(textOf(await pdfOf({ ...handout, reading }))).not.toMatch(/0\.172|0\.0092/);
  });

  it("has no text styles below 7 points, for films of any size", () => {
    expect(Object.values(styles).filter(({ sizePt }) => sizePt < 7)).toEqual([]);
    for (const film of [
      { widthPx: 2000, heightPx: 1600 },
      { widthPx: 1500, heightPx: 2000 },
      { widthPx: 667, heightPx: 2000 },
      { widthPx: 300, heightPx: 240 },
    ]) {
      const leastScale = Math.min(340 / film.widthPx, 230 / film.heightPx);
      expect(filmOnPaper.letterPt * filmOnPaper.unitPx(film) * leastScale).toBeGreaterThanOrEqual(6.999);
    }
  });

  it("contains no letters below 7 points according to pdftohtml", async () => {
    const sizes = async (name: string) => {
      const zoom = 3; // the maximum; reduces rounding to whole points
      const xml = poppler("pdftohtml", await pdfOf(handouts[name]!), "-xml", "-i", "-stdout", "-zoom", `${zoom}`);
      return [...xml.toString().matchAll(/<fontspec id="\d+" size="(\d+)"/g)].map(([, size]) => Number(size) / zoom);
    };
    const printed = await Promise.all(Object.keys(handouts).map(sizes));
    expect(printed.map((all) => all.length > 4 && Math.min(...all) >= 7)).toEqual(printed.map(() => true));
  });

  it("has axes and range limits that remain visible in a black-and-white photocopy", async () => {
    const pdf = await pdfOf(handouts["a correction in German with a trend"]!);
    const dpi = 144;
    const { data, info } = await sharp(poppler("pdftoppm", pdf, "-png", "-gray", "-r", String(dpi)))
      .threshold(128)
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Solid lines of at least 100 pt below the film; neither letters nor grid lines are that long.
    const longest = (y: number) => {
      let [run, most] = [0, 0];
      for (let x = 0; x < info.width; x += 1) {
        run = data[(y * info.width + x) * info.channels] === 0 ? run + 1 : 0;
        most = Math.max(most, run);
      }
      return most;
    };
    const rows = Array.from({ length: info.height }, (_, y) => y).filter((y) => y > 500 * 2 && longest(y) >= 100 * 2);
    expect(rows.length).toBeGreaterThanOrEqual(1);
  });

  it("prints the newest values with their changes, and the number of omitted values", async () => {
    const text = await flowOf({ ...handout, trend: handouts["a correction in German with a trend"]!.trend });
    for (const said of ["Taken", "Change", "01 Nov 2025", "9.9", "+0.3", "−0.1"])
      expect(text.replace(/\b1 Nov/, "01 Nov")).toContain(said);
    expect(text).toMatch(/VHS since 0?1 Apr 2026: −0\.1 v, within noise of ±\d\.\d v/);
    const grown = [
      { at: "2026-04-01T12:00:00.000Z", vhs: 8, vlas: 2, rlad: 1.6, errors },
      { at: "2026-11-20T08:00:00.000Z", vhs: 10.1, vlas: 2.3, rlad: 1.84, errors },
    ];
    const reading = { ...proposal, score: { ...proposal.score!, rlad: 1.84 } };
    const saidOfGrown = await flowOf({ ...handout, reading, trend: grown });
    expect(saidOfGrown).toMatch(/VHS since 0?1 Apr 2026: \+2\.1 v, beyond noise of ±\d\.\d v/);
    expect(saidOfGrown).toMatch(/RLAD since 0?1 Apr 2026: \+0\.2 v/);
    const long = Array.from({ length: 9 }, (_, index) => ({
      at: new Date(Date.UTC(2025, index, 3, 12)).toISOString(),
      vhs: 10 + index / 10,
      vlas: 2,
      errors,
    }));
    expect(textOf(await pdfOf({ ...handout, trend: long }))).toContain("3 earlier values not shown");
  });

  it("states in plain words for the owner whether the heart's size has changed", async () => {
    const before = (vhs: number) => [{ at: "2026-04-01T12:00:00.000Z", vhs, vlas: 1, errors }];
    const said = (vhs: number, change: Partial<Handout> = {}) => flowOf({ ...forOwner, trend: before(vhs), ...change });
    const unchanged = await said(10.2);
    expect(unchanged).toMatch(
      /Since 0?1 Apr 2026 the size of the heart has not changed beyond the usual variation between measurements\./,
    );
    expect(unchanged).not.toMatch(/noise|±|VLAS since/);
    expect(await said(8)).toMatch(
      /Since 0?1 Apr 2026 the heart has become larger; the difference exceeds the usual variation between measurements\./,
    );
    expect(await said(12)).toContain("the heart has become smaller");
    const unknown = [{ ...before(8)[0]!, errors: { ...errors, full: { vhs: null, vlas: null } } }];
    expect(await said(8, { trend: unknown })).not.toContain("Since");
  });

  it("prints the change from the previous visit, not between films of one visit", async () => {
    const trend = [
      { at: "2026-01-10T09:00:00.000Z", vhs: 10, vlas: 2, errors },
      { at: "2026-04-10T09:00:00.000Z", vhs: 10.1, vlas: 2, errors },
      { at: "2026-04-10T09:02:00.000Z", vhs: 10.6, vlas: 2, errors },
    ];
    const table = poppler("pdftotext", await pdfOf({ ...handout, trend }), "-layout").toString();
    const rows = [...table.matchAll(/(?:Apr|Jan) 2026 +([\d.]+ +(?:[+−][\d.]+ +)?[\d.]+)$/gm)];
    expect(rows.map(([, cells]) => cells!.split(/ +/))).toEqual([
      ["10.6", "+0.6", "2.0"],
      ["10.1", "+0.1", "2.0"],
      ["10.0", "2.0"],
    ]);
  });

  it("prints patient, page number and the lack of validation on every further page", async () => {
    const pages = textOf(await pdfOf(handouts["a remark of many lines"]!))
      .split("\f")
      .slice(0, -1);
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, text] of pages.slice(1).entries())
      for (const said of [
        "Sommer Veterinary Practice",
        "Bello · Mary Stone · P-17",
        "Not clinically validated.",
        `Page ${index + 2} of ${pages.length}`,
      ])
        expect(text).toContain(said);
  });

  it("prints every word of a long remark", async () => {
    const remark = Array.from({ length: 200 }, (_, index) => `word${index}`).join(" ");
    const text = textOf(await pdfOf({ ...handout, remark }));
    expect(text.match(/word\d+/g)).toEqual(remark.split(" "));
  });

  it("omits the notice only if the pack is declared as clinically validated", async () => {
    const provenance = { ...handout.reading.provenance!, isClinicallyValidated: true };
    expect(textOf(await pdfOf({ ...handout, reading: { ...handout.reading, provenance } }))).not.toContain(
      "Not clinically validated",
    );
  });

  it("prints the film unchanged on white paper", async () => {
    const dpi = 72;
    const { data, info } = await sharp(poppler("pdftoppm", await pdfOf(handout), "-png", "-r", String(dpi)))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
    const isNear = ([r = 0, g = 0, b = 0]: number[], [red, green, blue]: readonly [number, number, number]) =>
      Math.abs(r - red) < 12 && Math.abs(g - green) < 12 && Math.abs(b - blue) < 12;
    let [reds, blues, whites] = [0, 0, 0];
    for (let y = 0; y < info.height; y += 1) {
      for (let x = 0; x < info.width; x += 1) {
        const colour = at(x, y);
        if (isNear(colour, [0xe0, 0x20, 0x20])) reds += 1;
        if (isNear(colour, [0x20, 0x20, 0xe0])) blues += 1;
        if (isNear(colour, [255, 255, 255])) whites += 1;
      }
    }
    const halfPt = (340 * 272) / 2;
    expect([info.width, info.height]).toEqual([596, 842]);
    expect([Math.abs(reds / halfPt - 1) < 0.03, Math.abs(blues / halfPt - 1) < 0.03]).toEqual([true, true]);
    expect(whites / (info.width * info.height)).toBeGreaterThan(0.6);
  });

  it("uses the computer's fonts for missing glyphs and lists characters without a glyph", async () => {
    const name = "Հայկ 山田 Ғ";
    const text = textOf(await pdfOf({ ...handout, patient: { ...handout.patient!, name } }));
    const without: string[] = [];
    openFontBook().runs(name, 600, (letter) => without.push(letter));
    const shown = [...name].map((letter) => (without.includes(letter) ? "?" : letter)).join("");
    expect(text).toContain(shown);
    for (const letter of without) expect(text).toContain(`U+${letter.codePointAt(0)!.toString(16).toUpperCase()}`);
    expect(text.includes("Characters missing from the fonts")).toBe(without.length > 0);
  });
});
