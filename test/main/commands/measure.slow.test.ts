import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { folderForFile } from "../../fixtures/folders.ts";
import { measureCommand } from "../../../main/commands/measure.ts";
import { runCommand, runSingleCommand, type CommandResult } from "../../fixtures/process/corvet-command.ts";
import { recordingEngine } from "../../fixtures/recording/recording-engine.ts";
import { phantomFile, phantomFromJpeg } from "../dicom/phantom-film.ts";
import { zipOf } from "../../fixtures/zip-of.ts";

const films = path.resolve("test/fixtures/films");
type Row = Record<string, unknown>;

const measure = (...args: string[]) =>
  runSingleCommand(
    measureCommand(() => recordingEngine()),
    ...args,
  );

const rows = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

describe("npm run measure", () => {
  const folder = folderForFile();
  const missing = path.join(folder, "missing.jpg");
  let printed: CommandResult;
  beforeAll(async () => {
    cpSync(path.join(films, "dog-01.jpg"), path.join(folder, "b.jpg"));
    cpSync(path.join(films, "dog-06.jpg"), path.join(folder, "c.jpeg"));
    writeFileSync(path.join(folder, "a.png"), "a text that calls itself a film");
    writeFileSync(path.join(folder, "notes.txt"), "not asked for");
    printed = await measure("--json", `${folder}${path.sep}`, missing);
  });

  it("prints one JSON line per image in order, continues after a bad file, and exits with 1", () => {
    const { status, stdout } = printed;
    const [bad, b, c, gone] = rows(stdout);
    expect(status).toBe(1);
    expect(bad).toEqual({
      file: path.join(folder, "a.png"),
      error: "Films are JPEG, PNG or DICOM; this file is none of them",
    });
    expect(gone).toEqual({ file: missing, error: "File not found" });
    expect([b?.["file"], c?.["file"]]).toEqual([path.join(folder, "b.jpg"), path.join(folder, "c.jpeg")]);
    expect(Object.keys(b ?? {})).toEqual([
      "file",
      "width",
      "height",
      "vhs",
      "vlas",
      "spread",
      "sharpness",
      "model_confidence",
      "result_code",
      "pop_detected",
      "prediction",
      "ruler",
      "votes_apart",
      "looks_apart",
      "t4_otherwise",
      "vhs_interval",
      "vlas_interval",
      "rlad",
      "rlad_interval",
      "is_clinically_validated",
      "pack",
      "pack_version",
      "pack_released_by",
      "pack_publisher",
    ]);
    expect(b).toMatchObject({
      width: 1080,
      height: 864,
      pop_detected: false,
      model_confidence: expect.stringMatching(/^(optimal|good|review)$/) as string,
    });
    expect((b?.["prediction"] as { class: string }[]).map((landmark) => landmark.class)).toEqual([
      "heart_top",
      "heart_bottom",
      "heart_right",
      "heart_left",
      "VLAS",
      "Vertebra A",
      "Vertebra B",
    ]);
    const ruler = b?.["ruler"] as [number, number][];
    const [vertebraA, vertebraB] = (b?.["prediction"] as { x: number; y: number }[]).slice(-2);
    expect([ruler[0], ruler.at(-1)]).toEqual([
      [vertebraA?.x, vertebraA?.y],
      [vertebraB?.x, vertebraB?.y],
    ]);
  });

  it("measures DICOM films in a folder and in a ZIP, skips other views and reports damaged files", async () => {
    const study = path.join(folder, "study");
    mkdirSync(study);
    const lateral = await phantomFromJpeg(path.join(films, "dog-02.jpg"), { instance: "1.2.276.1" });
    writeFileSync(path.join(study, "IM1"), lateral);
    writeFileSync(path.join(study, "IM2"), phantomFile({ instance: "1.2.276.2", view: "DV" }));
    writeFileSync(path.join(study, "IM3.dcm"), lateral.subarray(0, 9000));
    writeFileSync(path.join(study, "VIEWER"), "not asked for");
    writeFileSync(path.join(study, "z.zip"), await zipOf({ "a/IM1": lateral }));
    const { status, stdout } = await measure("--json", study, path.join(films, "dog-02.jpg"));
    const [first, other, broken, zipped, asJpeg, ...more] = rows(stdout);
    expect([status, more]).toEqual([1, []]);
    expect(first).toMatchObject({
      file: path.join(study, "IM1"),
      width: 1080,
      height: 864,
      vhs: expect.closeTo(asJpeg?.["vhs"] as number, 1) as number,
    });
    expect(zipped).toEqual({ ...first, file: path.join(study, "z.zip", "a", "IM1") });
    expect(other).toEqual({ file: path.join(study, "IM2"), left_alone: "view" });
    expect(broken).toEqual({
      file: path.join(study, "IM3.dcm"),
      error: expect.stringMatching(
        /^The DICOM file is truncated: frame 1 needs [\d,]+ bytes of pixel data, but there are /,
      ),
    });
  });

  it("measures the chosen frame and prints the number of frames", async () => {
    const file = path.join(folder, "frames.dcm");
    writeFileSync(file, phantomFile({ instance: "1.2.276.4", frames: 3 }));
    const first = await runCommand("measure", file);
    expect([first.stderr, rows(first.stdout)]).toEqual([
      `measure: ${file}: frame 1 of 3; --frame N measures another\n`,
      [expect.objectContaining({ file, width: 96, frame: 1, frames: 3 })],
    ]);
    const third = await measure("--csv", "--frame", "3", file);
    const [header, row] = third.stdout.split("\r\n").map((line) => line.split(","));
    expect([third.stderr, ["frame", "frames"].map((name) => row?.[header?.indexOf(name) ?? -1])]).toEqual([
      "",
      ["3", "3"],
    ]);
    const beyond = await measure("--frame", "4", file, path.join(folder, "b.jpg"));
    expect([beyond.status, rows(beyond.stdout)]).toEqual([
      1,
      [
        { file, error: "It has 3 frames; frame 4 was requested" },
        { file: path.join(folder, "b.jpg"), error: "It has 1 frame; frame 4 was requested" },
      ],
    ]);
  });

  it("prints the same values as CSV, and draws each film into a separate file", async () => {
    const [drawn, other, film] = [path.join(folder, "drawn"), path.join(folder, "other"), path.join(folder, "b.jpg")];
    mkdirSync(other);
    cpSync(path.join(films, "dog-02.jpg"), path.join(other, "b.jpg"));
    // A file that is not a film does not use up a name.
    writeFileSync(path.join(other, "a.json"), "{}");
    cpSync(path.join(films, "dog-02.jpg"), path.join(other, "a.jpg"));
    const { status, stdout, stderr } = await measure("--csv", "--render", drawn, film, other);
    const json = rows(printed.stdout)[1];
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [header, row, ...rest] = stdout.split("\r\n");
    expect(rest).toHaveLength(3);
    const cells = Object.fromEntries(
      (header as string).split(",").map((name, index) => [name, (row as string).split(",")[index]]),
    );
    expect(cells).toMatchObject({
      file: film,
      width: "1080",
      vhs: String(json?.["vhs"]),
      vlas: String(json?.["vlas"]),
      result_code: String(json?.["result_code"]),
      error: "",
    });
    expect(cells["heart_top x"]).toBe(String((json?.["prediction"] as { x: number }[])[0]?.x));
    expect(readdirSync(drawn).sort()).toEqual(["a.png", "b-2.png", "b.png"]);
    const picture = await sharp(readFileSync(path.join(drawn, "b.png"))).metadata();
    expect(picture).toMatchObject({ format: "png", width: 1080 });
    expect(picture.height).toBeGreaterThan(864);
  });

  it("prints only its usage for --help", async () => {
    const { status, stdout, stderr } = await measure("--help");
    expect([status, stdout.startsWith("Usage: corvet measure"), stderr]).toEqual([0, true, ""]);
  });

  it.each([[[]], [["--json", "--csv", "x.jpg"]], [["--colour", "x.jpg"]], [["--frame", "0", "x.jpg"]]])(
    "prints its usage for invalid arguments %j",
    async (args) => {
      const { status, stdout, stderr } = await measure(...args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toContain("Usage: corvet measure [options] <file...>");
    },
  );

  it("reports a missing landmark pack", async () => {
    const { status, stderr } = await runCommand(
      "measure",
      ...["--packs", path.join(folder, "nothing"), path.join(folder, "b.jpg")],
    );
    expect(status).toBe(1);
    expect(stderr).toBe(`measure: no landmark pack could be loaded from ${path.join(folder, "nothing")}\n`);
    expect(existsSync(path.join(folder, "nothing"))).toBe(false);
  });
});
