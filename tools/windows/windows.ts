import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { openEngine } from "../../main/commands/running/open-engine.ts";
import { runCommand, UsageError } from "../../main/commands/running/run-command.ts";
import { createDicomReader } from "../../main/dicom/dicom-reader.ts";
import { openRadiograph } from "../../main/services/measuring/open-radiograph.ts";
import { deepFilm, deepFilmFile, rightWindow, wrongWindows } from "./deep-film.ts";

const usage = `npm run windows -- --data FOLDER [--films N] [--matrix N]
How far the display window of a DICOM film moves its measurement: films of a folder as 12-bit DX, each under the window that shows it as
it is, then under ten wrong ones, beside the picture itself.
  --data FOLDER  JPEG and PNG films
  --films N      only the first N
  --matrix N     how many of them under wrong windows, too (default 4)`;

const options = { data: { type: "string" }, films: { type: "string" }, matrix: { type: "string" } } as const;

const shown = (value: number | null) => (value === null ? "-" : value.toFixed(2));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

runCommand("windows", usage, async (args, print) => {
  const { values } = parseArgs({ args, options });
  const { data: folder, films, matrix = "4" } = values;
  if (folder === undefined) throw new UsageError("--data is missing");
  const names = readdirSync(folder)
    .filter((name) => /\.(png|jpe?g)$/i.test(name))
    .slice(0, films === undefined ? undefined : Number(films));
  const dicom = createDicomReader();
  const engine = await openEngine("windows");
  const vhsOf = async (bytes: Uint8Array): Promise<number | null> => {
    const measurement = await engine.measure(await openRadiograph(dicom, bytes));
    return measurement.kind === "measured" ? measurement.score.vhs : null;
  };
  try {
    const moved: number[] = [];
    const worst: number[] = [];
    for (const [index, name] of names.entries()) {
      const picture = readFileSync(path.join(folder, name));
      const film = await deepFilm(picture);
      const [asPicture, right] = [await vhsOf(picture), await vhsOf(deepFilmFile(film, rightWindow))];
      if (asPicture !== null && right !== null) moved.push(Math.abs(right - asPicture));
      print(`${name}: picture ${shown(asPicture)} v, 12-bit DX ${shown(right)} v`);
      if (index >= Number(matrix)) continue;
      for (const [window, elements] of wrongWindows) {
        const found = await vhsOf(deepFilmFile(film, elements));
        worst.push(found === null || right === null ? (found === right ? 0 : Infinity) : Math.abs(found - right));
        print(`  ${window}: ${shown(found)} v`);
      }
    }
    print(
      `mean change by the deep copy ${mean(moved).toFixed(3)} v over ${moved.length} films, most ${shown(Math.max(0, ...moved))} v`,
    );
    print(`most change by a wrong window ${shown(Math.max(0, ...worst))} v over ${worst.length} films and windows`);
  } finally {
    await engine.close();
    await dicom.close();
  }
});
