/**
 * Pictures of every window and state, for visual checks: `npm run pictures -- FOLDER [--only film,settings]
 * [--languages en,de,fr] [--themes dark,light] [--sizes 1280x720,1920x1080] [--density 1] [--axe]`. Prints texts that
 * do not fit, and violations found by axe if requested; fails on any fault.
 */
import { parseArgs } from "node:util";
import { languageCodes } from "../../../core/language/languages.ts";
import { askedOrUsage } from "../asked.ts";
import { buildPage } from "../build-page.ts";
import { openCamera, type Camera } from "./camera.ts";
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

const usage =
  "npm run pictures -- FOLDER [--only NAME,…] [--languages en,de,fr] [--themes dark,light] [--sizes 1280x720,…] [--density 1] [--axe]";

const { values, positionals } = askedOrUsage(usage, () =>
  parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string", default: "" },
      languages: { type: "string", default: languageCodes.join(",") },
      themes: { type: "string", default: "dark,light" },
      sizes: { type: "string", default: "1280x720,1920x1080" },
      density: { type: "string", default: "1" },
      axe: { type: "boolean", default: false },
    },
  }),
);
const [folder] = positionals;
const listOf = (words: string) => words.split(",").filter(Boolean);
const languages = languageCodes.filter((code) => listOf(values.languages).includes(code));
const themes = (["dark", "light"] as const).filter((theme) => listOf(values.themes).includes(theme));
const [size, ...others] = listOf(values.sizes).map((words) => {
  const [width = 1280, height = 720] = words.split("x").map(Number);
  return { width, height };
});
if (folder === undefined || size === undefined || languages.length * themes.length === 0) {
  process.stderr.write(`usage: ${usage}\n`);
  process.exit(2);
}
const only = listOf(values.only);
const camera = openCamera({
  folder,
  languages,
  themes,
  sizes: [size, ...others],
  density: Number(values.density),
  only,
  isChecked: values.axe,
});

await buildPage();
const broken: string[] = [];
for (const [name, take] of Object.entries(rooms))
  if (only.length === 0 || only.some((start) => start.startsWith(name) || name.startsWith(start)))
    // A failed room is reported, and the others are photographed nevertheless.
    await take(camera).catch((error: unknown) => broken.push(`${name}: ${String(error)}`));
for (const fault of [...camera.faults, ...broken]) process.stdout.write(`${fault}\n`);
process.stdout.write(`${camera.faults.length} faults, ${broken.length} rooms not walked through\n`);
process.exit(camera.faults.length + broken.length > 0 ? 1 : 0);
