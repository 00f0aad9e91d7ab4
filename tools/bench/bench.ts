import { Command } from "commander";
import { readFileSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { programDir, programPacksDir } from "../../main/program.ts";
import { benchDicom, benchRectification, benchUsg } from "./bench-computing.ts";
import { benchInProcess } from "./bench-networks.ts";
import { benchService, benchWindow, filmsListed } from "./bench-program.ts";
import { wholeNumber } from "../../main/commands/running/options.ts";
import { print, runProgram } from "../../main/commands/running/run-program.ts";

type Options = { readonly json?: boolean; readonly window?: boolean; readonly runs: number };

async function bench({ json, window, runs }: Options): Promise<void> {
  if (window) {
    const figures = await benchWindow();
    return print(json ? JSON.stringify(figures, rounded, 2) : table(windowLines(figures)));
  }
  const figures = await benchAll(runs);
  print(json ? JSON.stringify(figures, rounded, 2) : report(figures));
}

type Figures = Awaited<ReturnType<typeof benchAll>>;

/** All figures of the benchmark; times are medians [ms] unless noted otherwise. */
async function benchAll(runs: number) {
  const films = readFilms(path.join(programDir, "test", "fixtures", "films"));
  const inProcess = await benchInProcess(films, programPacksDir, runs);
  const service = await benchService(films, runs);
  return {
    machine: `${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`,
    films: films.length,
    runs,
    ...inProcess,
    wholePerBare: inProcess.wholeMs / inProcess.bareMs,
    ...service,
    httpsPerBare: service.httpsMs / inProcess.bareMs,
    ...benchUsg(programPacksDir),
    window: await benchWindow(),
    ...(await benchDicom()),
    rectificationMegapixelsPerSecond: await benchRectification(),
  };
}

/** Reads direct films only, since photographs of screens are processed differently. */
function readFilms(folder: string): Buffer[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jpg"))
    .sort()
    .map((name) => readFileSync(path.join(folder, name)));
}

function bareLine({ bareMs, bareInTurnMs, bareSideBySideMs }: Figures): string {
  const inTurn = `${bareInTurnMs.toFixed(0)} ms in sequence on all cores`;
  if (bareSideBySideMs === null) return inTurn;
  return `${bareMs.toFixed(0)} ms   the faster of ${bareSideBySideMs.toFixed(0)} ms in parallel on one core each and ${inTurn}`;
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}

const bytesPerMebibyte = 1 << 20;

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function windowLines(figures: Figures["window"]): [string, string][] {
  if (figures === null) return [["window", "not measured: Chromium not found (CHROMIUM_PATH)"]];
  const { windowMs, windowPageMs, keyMs, keyP99Ms, keyLongestMs, keyProcessorMs } = figures;
  return [
    ["start to first usable window", `${ms(windowMs)}, including ${ms(windowPageMs)} for the page   (aim 2000 ms)`],
    [
      `pressing J or K with ${filmsListed} films`,
      `${ms(keyMs)}, 99 % within ${ms(keyP99Ms)}, maximum ${ms(keyLongestMs)}, processor time of the page ${ms(keyProcessorMs)}   (aim 100 ms)`,
    ],
  ];
}

function table(lines: readonly (readonly [string, string])[]): string {
  return lines.map(([name, value]) => `${name.padEnd(46)}${value}`).join("\n");
}

function report(figures: Figures): string {
  const microseconds = (value: number) => `${(1000 * value).toFixed(0)} µs`;
  const lines: [string, string][] = [
    ["machine", figures.machine],
    [`bare networks of one film (${figures.networksPerFilm} runs)`, bareLine(figures)],
    ["whole measurement in process", `${ms(figures.wholeMs)}   ${figures.wholePerBare.toFixed(2)} x bare (aim 1.15)`],
    ["  including decoding the file", ms(figures.decodeMs)],
    [
      "ten films, pipelined",
      `${ms(figures.batchOfTenMs)}   ${(figures.batchOfTenMs / (10 * figures.bareMs)).toFixed(2)} x ten bare (aim 1.10), ${figures.filmsPerSecond.toFixed(1)} films a second`,
    ],
    ["over HTTPS, median", `${ms(figures.httpsMs)}   ${figures.httpsPerBare.toFixed(2)} x bare (aim 350 ms)`],
    ["over HTTPS, 95th percentile", ms(figures.httpsP95Ms)],
    ["cold start, process start to first response", `${ms(figures.coldStartMs)}   (aim 1200 ms)`],
    ...windowLines(figures.window),
    [
      "peak memory of the service",
      figures.servicePeakMegabytes === null
        ? "not reported by this system"
        : `${(figures.servicePeakMegabytes * bytesPerMebibyte * 1e-6).toFixed(0)} MB   (aim 600 MB)`,
    ],
    ["screening over HTTPS, metered, median", `${ms(figures.screeningMs)}   (aim 8 ms)`],
    ["  with eight concurrent clients", `${ms(figures.screeningOfEightMs)}   (aim 10 ms)`],
    [
      "explaining a row, 300 trees of depth 4",
      `${microseconds(figures.explanationMs)}, minimum ${microseconds(figures.explanationBestMs)}   (aim 100 µs)`,
    ],
    [
      "explaining a row, active pack",
      figures.packExplanationMs === null ? "no pack" : microseconds(figures.packExplanationMs),
    ],
    [
      "opening a 16-bit DICOM film of 3000 x 2400",
      `${ms(figures.openMs)}, processor time ${ms(figures.openProcessorMs)}   (aim 300 ms)`,
    ],
    [
      "rectification",
      `${figures.rectificationMegapixelsPerSecond.toFixed(0)} megapixels a second on one core (aim 30)`,
    ],
  ];
  return table(lines);
}

await runProgram(
  new Command("bench")
    .description(
      "measure the speed of networks, measurement, service, screening, window and DICOM with the films of test/fixtures",
    )
    .option("--json", "print JSON")
    .option("--window", "measure the window only")
    .option("--runs <n>", "runs of each measurement", wholeNumber(3), 20)
    .action(bench),
  process.argv.slice(2),
);
