import { Command } from "commander";
import { languageCodes, type Language } from "../../../core/language/languages.ts";
import { print, runProgram } from "../../../main/commands/running/run-program.ts";
import { buildPage } from "../build-page.ts";
import { openCamera, type Camera, type Size, type Theme } from "./camera.ts";
import { roomOfCourses } from "./rooms/courses.ts";
import { roomOfFilm } from "./rooms/film.ts";
import { roomOfLedger } from "./rooms/ledger.ts";
import { roomOfNetwork } from "./rooms/network.ts";
import { roomOfPapers } from "./rooms/papers.ts";
import { roomOfPeople } from "./rooms/people.ts";
import { roomOfSettings } from "./rooms/settings.ts";
import { roomOfTroubles } from "./rooms/troubles.ts";
import { roomOfUrine } from "./rooms/urine.ts";
import { roomOfWelcome } from "./rooms/welcome.ts";
import { roomOfWorklist } from "./rooms/worklist.ts";

const rooms: Readonly<Record<string, (camera: Camera) => Promise<void>>> = {
  welcome: roomOfWelcome,
  worklist: roomOfWorklist,
  film: roomOfFilm,
  courses: roomOfCourses,
  urine: roomOfUrine,
  ledger: roomOfLedger,
  settings: roomOfSettings,
  people: roomOfPeople,
  network: roomOfNetwork,
  troubles: roomOfTroubles,
  paper: roomOfPapers,
};

type Given = {
  readonly only: readonly string[];
  readonly languages: readonly Language[];
  readonly themes: readonly Theme[];
  readonly sizes: readonly [Size, ...Size[]];
  readonly density: number;
  readonly axe?: boolean;
};

async function takePictures(folder: string, { axe = false, ...given }: Given): Promise<void> {
  const camera = openCamera({ folder, ...given, isChecked: axe });
  await buildPage();
  const broken: string[] = [];
  for (const [name, take] of Object.entries(rooms))
    if (given.only.length === 0 || given.only.some((start) => start.startsWith(name) || name.startsWith(start)))
      // A failed room is reported, and the others are photographed nevertheless.
      await take(camera).catch((error: unknown) => broken.push(`${name}: ${String(error)}`));
  for (const fault of [...camera.faults, ...broken]) print(fault);
  print(`${camera.faults.length} faults, ${broken.length} rooms not walked through`);
  process.exitCode = camera.faults.length + broken.length > 0 ? 1 : 0;
}

const listOf = (words: string) => words.split(",").filter(Boolean);
const sizesOf = (words: string) =>
  listOf(words).map((size) => {
    const [width = 1280, height = 720] = size.split("x").map(Number);
    return { width, height };
  });

await runProgram(
  new Command("pictures")
    .description("take pictures of every window and state, and report texts that do not fit; fails on any fault")
    .argument("<folder>", "folder for the pictures")
    .option("--only <name,...>", "beginnings of the names of the pictures", listOf, [])
    .option("--languages <code,...>", "languages", listOf, languageCodes)
    .option("--themes <name,...>", "dark, light or both", listOf, ["dark", "light"])
    .option("--sizes <WxH,...>", "sizes of the window", sizesOf, sizesOf("1280x720,1920x1080"))
    .option("--density <n>", "pixels per CSS pixel", Number, 1)
    .option("--axe", "report violations found by axe, too")
    .action(takePictures),
  process.argv.slice(2),
);
