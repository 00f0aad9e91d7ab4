import sharp from "sharp";
import { reason } from "../../../core/cardiac/confidence.ts";
import type { Handout } from "../../../main/report/handout.ts";
import { correction, proposal } from "../dicom/results/subjects.ts";

/** Film with a red left and a blue right half, which is easy to find in a printed page. */
async function twoColouredFilm(widthPx = 1080, heightPx = 864): Promise<Handout["film"]> {
  const half = {
    create: { width: Math.round(widthPx / 2), height: heightPx, channels: 3 as const, background: "#2020e0" },
  };
  const jpeg = await sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: "#e02020" } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: Math.round(widthPx / 2), top: 0 }])
    .jpeg({ quality: 90, chromaSubsampling: "4:4:4" })
    .toBuffer();
  return { jpeg, widthPx, heightPx };
}

/** Score errors of a pack without figures for repeated films of one animal. */
export const errors = { pack: "a", full: { vhs: 0.3, vlas: 0.2 }, repeat: null };
const film = await twoColouredFilm();
const trend = [
  { at: "2025-11-01T12:00:00.000Z", vhs: 9.9, vlas: 2, errors },
  { at: "2026-04-01T12:00:00.000Z", vhs: 10.2, vlas: 2.2, errors },
  { at: "2026-11-20T12:00:00.000Z", vhs: 10.12, vlas: 2.35, errors },
];

/** Trend of all measures, for which the table is printed below three charts. */
const trendOfAll = trend.map((point, index) => ({ ...point, rlad: 1.6 + index / 10 }));

export const handout: Handout = {
  language: "en",
  audience: "veterinarian",
  clinic: { name: "Sommer Veterinary Practice", address: "12 Pond Street\nErlangen", logo: null },
  patient: { name: "Bello", species: "dog", breed: "Cavalier", owner: "Mary Stone", uuid: "P-17" },
  fileName: "bello-lateral.dcm",
  takenAt: new Date("2026-11-20T08:00:00Z"),
  film,
  reading: proposal,
  proposal: null,
  trend: [],
  remark: "",
  programVersion: "0.1.0",
  credits: ["A collection of films, CC BY 4.0: 5 films of dogs"],
  printedAt: new Date("2026-11-21T09:30:00Z"),
};

const toReview = {
  tier: "review",
  resultCode: 3,
  spread: 0.009_21,
  ruler: { ...proposal.ruler!, kind: "fallback" },
} as const;
const reviewReasons = [
  reason("fallback_ruler"),
  reason("member_scatter", 0.172, 0.11),
  reason("spread", 0.009_21, 0.008),
];
const nothing = { heart: null, edges: [], ruler: null, score: null, tier: null } as const;

export const forOwner: Handout = {
  ...handout,
  audience: "owner",
  patient: { ...handout.patient!, sex: "male", isNeutered: true, birthDate: "2018-08-20", weightKg: 9.4 },
  reading: { ...proposal, ...toReview, reviewReasons },
  trend,
  remark: "Please give one tablet in the morning.",
};

export const handouts: Readonly<Record<string, Handout>> = {
  "a proposal": handout,
  "a correction in German with a trend": {
    ...handout,
    language: "de",
    patient: { ...handout.patient!, owner: "Familie Groß" },
    reading: correction,
    proposal,
    trend,
    remark: correction.remark,
  },
  "names and texts of maximum length": {
    ...handout,
    language: "de",
    clinic: {
      name: "Tierärztliche Gemeinschaftspraxis ".repeat(6).slice(0, 200),
      address: "Ä".repeat(400),
      logo: null,
    },
    trend,
    patient: {
      name: "W".repeat(120),
      species: "dog",
      breed: "Ö".repeat(120),
      owner: "Großmann-Mustermann ".repeat(10),
      uuid: "9".repeat(200),
    },
    fileName: `${"f".repeat(250)}.jpg`,
    reading: { ...correction, who: "Ü".repeat(100) },
    proposal,
    remark: "Lange Bemerkung. ".repeat(117),
  },
  "a remark of many lines": { ...handout, remark: "eins\nzwei\n".repeat(100), trend },
  "a film to be reviewed": { ...handout, reading: { ...proposal, ...toReview, reviewReasons } },
  "a photograph to be reviewed in German": {
    ...handout,
    language: "de",
    trend,
    reading: {
      ...proposal,
      ...toReview,
      popDetected: true,
      spread: null,
      reviewReasons: [
        reason("fallback_ruler"),
        reason("no_vlas"),
        reason("axes_angle", 62.6, 15),
        reason("short_ruler", 5, 5.19),
      ],
    },
  },
  "all measures, many reasons and a long address in French": {
    ...handout,
    language: "fr",
    clinic: { ...handout.clinic, address: "12 rue des Étangs\n".repeat(7).trim() },
    trend,
    reading: {
      ...proposal,
      ...toReview,
      score: { ...proposal.score!, rlad: 1.84 },
      reviewReasons: [
        ...reviewReasons,
        reason("axes_angle", 62.6, 15),
        reason("short_ruler", 5, 5.19),
        reason("no_vlas"),
      ],
      source: "person",
      verdict: "accepted",
      who: "Dr. Weber",
    },
    proposal,
  },
  "a film without values in German": {
    ...handout,
    language: "de",
    reading: {
      ...proposal,
      tier: "review",
      resultCode: 5,
      score: { ...proposal.score!, vhs: null, vlas: null },
      reviewReasons: [reason("no_score")],
    },
  },
  "a film to be reviewed and accepted": {
    ...handout,
    reading: { ...proposal, ...toReview, reviewReasons, source: "person", verdict: "accepted", who: "Dr. Weber" },
    proposal,
  },
  ...Object.fromEntries(
    (["en", "de", "fr"] as const).map((language) => [
      `a trend of all measures (${language})`,
      { ...handout, language, trend: trendOfAll },
    ]),
  ),
  "a tall film": { ...handout, film: await twoColouredFilm(500, 1500), trend },
  "a film that the gate rejected": {
    ...handout,
    patient: null,
    reading: { ...proposal, ...nothing, edges: [], resultCode: 6 },
  },
  "a film that a user rejected": {
    ...handout,
    reading: { ...proposal, verdict: "rejected", source: "person", who: "Dr. Weber" },
    proposal,
  },
  ...Object.fromEntries(
    (["en", "de", "fr"] as const).map((language) => [`the owner (${language})`, { ...forOwner, language }]),
  ),
  "the owner of a film without values": {
    ...forOwner,
    patient: null,
    reading: { ...proposal, ...nothing, edges: [], resultCode: 6 },
  },
  "the owner with a remark of many lines": { ...forOwner, remark: "eins\nzwei\n".repeat(100) },
  "a cat measured by hand": {
    ...handout,
    patient: { ...handout.patient!, species: "cat" },
    reading: { ...correction, verdict: "by_hand" },
  },
};
