import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { programDir } from "../../main/program.ts";
import { peakMegabytes } from "../own-service.ts";
import { isRunning, type AttackTally, type AttackTarget } from "./attack-tally.ts";
import { emptyPng, type EmptyPng } from "./empty-png.ts";

/** What an attack by pictures may cost at most. */
const heavyImageLimits = { peakMegabytes: 1200, filmSeconds: 2 } as const;
const pictures = 8;

/** Refused by its header, and the largest that are not. */
const forms: readonly (readonly [string, EmptyPng])[] = [
  ["16-bit interlaced PNG", { sidePx: 9990, colourType: 6, bits: 16, isInterlaced: true, hasPixels: true }],
  ["8-bit interlaced PNG", { sidePx: 9990, colourType: 2, bits: 8, isInterlaced: true, hasPixels: true }],
];

/** Eight small files that are large pictures at once, and in the middle of them a normal film. */
export async function attackByImages(target: AttackTarget): Promise<readonly AttackTally[]> {
  const tallies: AttackTally[] = [];
  for (const [kind, form] of target.isShort ? forms.slice(0, 1) : forms)
    tallies.push(await attackBy(target, kind, emptyPng(form)));
  return tallies;
}

async function attackBy(target: AttackTarget, kind: string, picture: Buffer): Promise<AttackTally> {
  const { service } = target;
  const film = readFileSync(path.join(programDir, "test", "fixtures", "films", "dog-01.jpg"));
  // Twice before: code and networks are warm.
  for (let call = 0; call < 2; call += 1) await predict(target, film);
  const aloneSeconds = (await predict(target, film)).seconds;
  forgetPeak(service.child.pid);
  const attack = Array.from({ length: pictures }, () => predict(target, picture));
  const normal = await predict(target, film);
  const answers = await Promise.all(attack);
  const peak = peakMegabytes(service.child);
  const refused = answers.filter(({ status }) => status >= 400 && status < 500).length;
  const crashed = answers.filter(({ status }) => status >= 500 || status === 0).length + (isRunning(service) ? 0 : 1);
  const isKept = normal.status === 200 && (peak ?? 0) < heavyImageLimits.peakMegabytes;
  // Said and not counted: how busy the machine is besides decides, too.
  const isSlow = normal.seconds > heavyImageLimits.filmSeconds;
  const note = [
    `${Math.round(picture.length / 1000)} kB each`,
    peak === null ? "" : `peak ${Math.round(peak)} MB`,
    `film ${normal.seconds.toFixed(2)} s (alone ${aloneSeconds.toFixed(2)} s${isSlow ? `, over ${heavyImageLimits.filmSeconds} s` : ""})`,
    `others ${Math.max(...answers.map(({ seconds }) => seconds)).toFixed(1)} s`,
  ];
  return { kind, tried: pictures, refused, crashed: crashed + (isKept ? 0 : 1), lost: 0, note: note.join(", ") };
}

async function predict({ service, key }: AttackTarget, image: Buffer) {
  const startedAtMs = performance.now();
  const body = JSON.stringify({ image: image.toString("base64") });
  const status = await service
    .send("POST", "/v3/predict", body, { "x-api-key": key, "content-type": "application/json" })
    .then(
      (answer) => answer.status,
      () => 0,
    );
  return { status, seconds: (performance.now() - startedAtMs) / 1000 };
}

/** Linux begins to count the peak anew. */
function forgetPeak(pid: number | undefined): void {
  if (process.platform === "linux") writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
