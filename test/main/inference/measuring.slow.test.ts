import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { decodeImage, type DecodedImage } from "../../../main/imaging/decode-image.ts";
import { measure } from "../../../main/inference/measuring.ts";
import type { NetworkCall, NetworkCallName, NetworkCalls } from "../../../main/inference/threads/network-calls.ts";
import { startNetworkPool, type NetworkPool } from "../../../main/inference/threads/network-pool.ts";
import { createPackRegistry } from "../../../main/inference/packs/pack-registry.ts";
import { imageLevels } from "../../../main/inference/views/sample-frame.ts";
import { wholeAnimal } from "../../fixtures/whole-animal.ts";

const packFolder = fileURLToPath(new URL("../../../models/packs", import.meta.url));
const fixture = (name: string) => decodeImage(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));
const film = await fixture("films/dog-01.jpg");
const registry = createPackRegistry([packFolder]);

let pool: NetworkPool;
beforeAll(async () => {
  pool = startNetworkPool();
  await registry.reload(pool.everywhere, {});
});
afterAll(() => pool.close());

/** Measures the film and aborts after the given number of answers. Returns the calls. */
async function askedUntil(
  answers: number,
): Promise<{ readonly asked: readonly NetworkCallName[]; readonly outcome: PromiseSettledResult<unknown> }> {
  const leaver = new AbortController();
  const asked: NetworkCallName[] = [];
  const networks = pool.forFilm(0, leaver.signal);
  let answered = 0;
  const call: NetworkCall = async (name, request) => {
    asked.push(name);
    const answer = await networks(name, request);
    answered += 1;
    if (answered === answers) leaver.abort();
    return answer;
  };
  const [outcome] = await Promise.allSettled([
    measure({ registry, call, signal: leaver.signal, programVersion: "0" }, film),
  ]);
  return { asked, outcome };
}

const instruments = () => ({ registry, call: pool.forFilm(0), signal: undefined, programVersion: "0" });

const usualMeasurements = new Map<string, Promise<MeasuredRadiograph>>();

function usualOf(name: string): Promise<MeasuredRadiograph> {
  const known = usualMeasurements.get(name) ?? fixture(`films/${name}.jpg`).then(measuredFrom);
  usualMeasurements.set(name, known);
  return known;
}

async function measuredFrom(image: DecodedImage, call = pool.forFilm(0)): Promise<MeasuredRadiograph> {
  const result = await measure({ ...instruments(), call }, image);
  if (result.kind !== "measured") throw new Error(`not measured: ${result.resultCode}`);
  return result;
}

it("calls the gate, the locator for film and mirror image, every member, then column and heart", async () => {
  const { asked, outcome } = await askedUntil(Infinity);
  expect(outcome).toMatchObject({ status: "fulfilled", value: { kind: "measured" } });
  expect([asked.slice(0, 3), asked.filter((name) => name === "look").length, asked.slice(-2)]).toEqual([
    ["judge", "locate", "locate"],
    registry.active("landmarks")?.members.length,
    ["agree", "closeUp"],
  ]);
});

it.each([
  [1, ["judge", "locate", "locate"]],
  [3, ["judge", "locate", "locate", "locate", "locate"]],
])("runs no further network after the client disconnects at %i answers", async (answers, asked) => {
  expect(await askedUntil(answers)).toMatchObject({
    asked,
    outcome: { status: "rejected", reason: { code: "ABORTED" } },
  });
});

it("rejects an accepted picture if every member sees another heart", async () => {
  const dogs = ["01", "04", "06", "02", "07"];
  const others = await Promise.all(dogs.map(async (dog) => imageLevels(await fixture(`films/dog-${dog}.jpg`))));
  const networks = pool.forFilm(0);
  const kinds = registry.active("gate")!.decoding.kinds;
  const certain = Float32Array.from(kinds, (kind) => ({ direct: 0.9, photograph: 0.1 })[kind as string] ?? 0);
  const call: NetworkCall = (name, request) => {
    if (name === "judge") return Promise.resolve(certain as never);
    if (name !== "look") return networks(name, request);
    const { kind, member, view } = request as NetworkCalls["look"]["request"];
    return networks(name, { kind, member, view: { ...view, levels: others[member]! } } as typeof request);
  };
  expect(await measure({ ...instruments(), call }, film)).toMatchObject({
    kind: "rejected",
    resultCode: 6,
    takenFor: "photograph",
    classifierConfidence: 0.5,
  });
});

it.each([
  ["grey", false],
  ["in three equal colours", true],
])("measures a pale film, %s, like the film with all its levels", async (_, isInColour) => {
  const grey = film.grey.map((level) => 200 + Math.round(level / 8));
  const planes = Uint8Array.from({ length: 3 * grey.length }, (_, at) => grey[Math.floor(at / 3)] as number);
  const pale = await measuredFrom({ ...film, grey, colour: isInColour ? planes : null });
  expect(Math.abs(pale.score.vhs! - (await usualOf("dog-01")).score.vhs!)).toBeLessThan(0.15);
});

it("measures a tinted film like the film in grey", async () => {
  const bytes = readFileSync(new URL("../../fixtures/films/dog-02.jpg", import.meta.url));
  const rgb = await sharp(bytes).toColourspace("srgb").png().toBuffer();
  const yellow = sharp(rgb).linear([1.05, 0.9, 0.7], [10, 0, 0]);
  const measured = await measuredFrom(await decodeImage(await yellow.png().toBuffer()));
  expect(measured.popDetected).toBe(false);
  expect(Math.abs(measured.score.vhs! - (await usualOf("dog-02")).score.vhs!)).toBeLessThan(0.15);
});

it("measures a film on a page as a direct film, not as a photograph of a screen", async () => {
  const bytes = readFileSync(new URL("../../fixtures/films/dog-02.jpg", import.meta.url));
  const { width, height } = await sharp(bytes).metadata();
  const [x, y] = [width >> 1, height >> 1];
  const page = sharp(bytes).extend({ left: x, right: x, top: y, bottom: y, background: "white" });
  const usual = await usualOf("dog-02");
  const measured = await measuredFrom(await decodeImage(await page.jpeg().toBuffer()));
  expect(measured.popDetected).toBe(false);
  expect(Math.abs(measured.score.vhs! - usual.score.vhs!)).toBeLessThan(0.15);
});

/** A screenshot of a film with bars, a list of patients and a smaller copy of the film. */
async function screenAround(filmBytes: Buffer): Promise<Buffer> {
  const shown = await sharp(filmBytes).resize(820, 560, { fit: "inside" }).toBuffer();
  const small = await sharp(filmBytes).resize(150).toBuffer();
  const button = (at: number) => `<rect x="${20 + 60 * at}" y="14" width="34" height="34" fill="#7a94c0"/>`;
  const row = (at: number) => `<text x="16" y="${330 + 40 * at}" font-size="18" fill="#ddd">Bella ${at}</text>`;
  const around = `<svg width="1280" height="720"><rect width="1280" height="720" fill="#2b303a"/>
    <rect x="180" y="60" width="1100" height="630" fill="#000"/>
    ${[0, 1, 2, 3, 4, 5].map(button).join("")}${[0, 1, 2, 3, 4, 5, 6].map(row).join("")}
  </svg>`;
  return sharp(Buffer.from(around))
    .composite([
      { input: shown, left: 320, top: 90 },
      { input: small, left: 14, top: 80 },
    ])
    .png()
    .toBuffer();
}

it("measures the film in a screenshot as a direct film, beside a smaller copy", async () => {
  const bytes = readFileSync(new URL("../../fixtures/films/dog-02.jpg", import.meta.url));
  const usual = await usualOf("dog-02");
  const measured = await measuredFrom(await decodeImage(await screenAround(bytes)));
  expect(measured).toMatchObject({ popDetected: false, corners: null, tier: usual.tier });
  expect(Math.abs(measured.score.vhs! - usual.score.vhs!)).toBeLessThan(0.15);
  expect(measured.landmarks.heart_top.x).toBeGreaterThan(320);
});

it("measures a pale film in a screenshot like the film alone, with either networks", async () => {
  // The sides of the first are found upright; those of the second are too pale.
  for (const [name, isPhotograph] of [
    ["dog-02", false],
    ["dog-04", true],
  ] as const) {
    const bytes = readFileSync(new URL(`../../fixtures/films/${name}.jpg`, import.meta.url));
    const pale = await sharp(bytes)
      .linear(1 / 6, 190)
      .png()
      .toBuffer();
    const usual = await measuredFrom(await decodeImage(pale));
    const measured = await measuredFrom(await decodeImage(await screenAround(pale)));
    expect(measured.popDetected, name).toBe(isPhotograph);
    expect(Math.abs(measured.score.vhs! - usual.score.vhs!), name).toBeLessThan(0.15);
  }
});

it("requests a review of a heart that the film in a screenshot cuts off", async () => {
  const bytes = readFileSync(new URL("../../fixtures/films/dog-02.jpg", import.meta.url));
  const whole = await usualOf("dog-02");
  const { heart_top, heart_bottom } = whole.landmarks;
  const height = Math.round(heart_top.y + 0.9 * (heart_bottom.y - heart_top.y));
  const cut = await sharp(bytes).extract({ left: 0, top: 0, width: whole.widthPx, height }).png().toBuffer();
  const measured = await measuredFrom(await decodeImage(await screenAround(cut)));
  expect(measured).toMatchObject({
    popDetected: false,
    tier: "review",
    reviewReasons: expect.arrayContaining([{ kind: "outside_film", value: null, limit: null }]) as unknown,
  });
});

/** The real networks, but the gate rejects the whole picture as another kind. */
function refusingTheWhole(asked: NetworkCallName[] = [], takenFor = "abdomen", direct = 0.1): NetworkCall {
  const networks = pool.forFilm(0);
  const kinds = registry.active("gate")!.decoding.kinds;
  const refused = Float32Array.from(kinds, (kind) => (kind === takenFor ? 1 - direct : kind === "direct" ? direct : 0));
  return (name, request) => {
    asked.push(name);
    const isWhole =
      name === "judge" ? (request as NetworkCalls["judge"]["request"]).frame === null : isRunOfGate(name, request);
    return isWhole ? Promise.resolve(refused as never) : networks(name, request);
  };
}

function isRunOfGate(name: NetworkCallName, request: unknown): boolean {
  return name === "run" && (request as NetworkCalls["run"]["request"]).kind === "gate";
}

describe("a picture that the gate rejects as a whole", () => {
  it("is measured, with a request for review, if the gate accepts its thorax", async () => {
    const usual = await usualOf("dog-02");
    const measured = await measuredFrom(await fixture("films/dog-02.jpg"), refusingTheWhole());
    expect(Math.abs(measured.score.vhs! - usual.score.vhs!)).toBeLessThan(0.15);
    expect(measured).toMatchObject({ tier: "review", reviewReasons: [{ kind: "small_thorax" }] });
  });

  it.each([
    ["by the real gate", "dog-03", () => pool.forFilm(0)],
    ["as another radiograph", "dog-03", () => refusingTheWhole()],
    ["as a photograph of a screen without a border", "dog-03", () => refusingTheWhole([], "pop", 0)],
    ["as a photograph of a screen that may be a film", "dog-02", () => refusingTheWhole([], "pop")],
  ])("is measured if it shows the whole animal, rejected %s", async (_, dog, gate) => {
    const usual = await usualOf(dog);
    const measured = await measuredFrom(await decodeImage(await wholeAnimal(`${dog}.jpg`)), gate());
    expect(Math.abs(measured.score.vhs! - usual.score.vhs!)).toBeLessThan(0.15);
    expect(measured).toMatchObject({ popDetected: false, tier: "review" });
    expect(measured.reviewReasons).toContainEqual(expect.objectContaining({ kind: "small_thorax" }));
  });

  it("stays rejected without a thorax", async () => {
    const picture = await fixture("negatives/negative-03.jpg");
    expect(await measure({ ...instruments(), call: refusingTheWhole() }, picture)).toMatchObject({
      kind: "rejected",
      takenFor: "abdomen",
      classifierConfidence: expect.closeTo(0.9, 6) as number,
    });
  });

  it("stays a photograph of a screen if the gate does not accept its thorax, even if it may be a film", async () => {
    const asked: NetworkCallName[] = [];
    const networks = pool.forFilm(0);
    const call: NetworkCall = (name, request) => {
      asked.push(name);
      return networks(name, request);
    };
    const grey = { ...(await fixture("screens/screen-08.jpg")), colour: null };
    expect(await measure({ ...instruments(), call }, grey)).toMatchObject({
      kind: "measured",
      popDetected: true,
    });
    // The locator runs twelve times on the whole and its parts, and twice on the film that was cut out.
    expect(asked.filter((name) => name === "locate").length).toBeGreaterThan(12);
  });

  it("is not searched for a thorax if it is from a camera", async () => {
    const asked: NetworkCallName[] = [];
    const call = refusingTheWhole(asked);
    const photograph = { ...film, hasExposureData: true };
    expect(await measure({ ...instruments(), call }, photograph)).toMatchObject({
      kind: "rejected",
    });
    expect(asked).toEqual(["judge"]);
  });

  it("stays a photograph without a border if it is from a camera", async () => {
    const call = refusingTheWhole([], "pop");
    const photograph = { ...film, hasExposureData: true };
    expect(await measure({ ...instruments(), call }, photograph)).toMatchObject({
      kind: "unrectified",
      resultCode: 7,
    });
  });
});
