import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { openEngine } from "../../main/commands/running/open-engine.ts";
import { createDicomReader } from "../../main/dicom/dicom-reader.ts";
import { openRadiograph } from "../../main/services/measuring/open-radiograph.ts";
import { deepFilm, deepFilmFile, rightWindow, wrongWindows } from "./deep-film.ts";

// How far the display window of a DICOM film moves its measurement: films of a folder as 12-bit DX, each under the
// window that shows it as it is, then under ten wrong ones, beside the picture itself.

const { values: given } = parseArgs({
  options: { data: { type: "string" }, films: { type: "string" }, matrix: { type: "string" } },
});
if (given.data === undefined) {
  process.stderr.write("usage: windows --data FOLDER [--films N] [--matrix N]\n");
  process.exit(2);
}
const folder = given.data;
const names = readdirSync(folder)
  .filter((name) => /\.(png|jpe?g)$/i.test(name))
  .slice(0, given.films === undefined ? undefined : Number(given.films));
const matrixFilms = Number(given.matrix ?? 4);
const dicom = createDicomReader();
const engine = await openEngine("windows");

const say = (text: string) => process.stdout.write(`${text}\n`);
const shown = (value: number | null) => (value === null ? "-" : value.toFixed(2));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

try {
  const moved: number[] = [];
  const worst: number[] = [];
  for (const [index, name] of names.entries()) {
    const picture = readFileSync(path.join(folder, name));
    const film = await deepFilm(picture);
    const [asPicture, right] = [await vhsOf(picture), await vhsOf(deepFilmFile(film, rightWindow))];
    if (asPicture !== null && right !== null) moved.push(Math.abs(right - asPicture));
    say(`${name}: picture ${shown(asPicture)} v, 12-bit DX ${shown(right)} v`);
    if (index >= matrixFilms) continue;
    for (const [window, elements] of wrongWindows) {
      const found = await vhsOf(deepFilmFile(film, elements));
      worst.push(found === null || right === null ? (found === right ? 0 : Infinity) : Math.abs(found - right));
      say(`  ${window}: ${shown(found)} v`);
    }
  }
  say(
    `mean change by the deep copy ${mean(moved).toFixed(3)} v over ${moved.length} films, most ${shown(Math.max(0, ...moved))} v`,
  );
  say(`most change by a wrong window ${shown(Math.max(0, ...worst))} v over ${worst.length} films and windows`);
} finally {
  await engine.close();
  await dicom.close();
}

async function vhsOf(bytes: Uint8Array): Promise<number | null> {
  const measurement = await engine.measure(await openRadiograph(dicom, bytes));
  return measurement.kind === "measured" ? measurement.score.vhs : null;
}
