// Runs once: its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AnnotatedImage } from "../../../../core/cardiac/annotated-image.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { isOnPostgres, rawly, refuseRows } from "../../../fixtures/raw-store.ts";
import { measured, measuredPicture } from "../../store/sample-store.ts";
import { restart, useBench } from "../../../fixtures/use-bench.ts";

const bench = useBench();
let films = 0;
beforeEach(() => bench.engine.answers(measured));

/** Adds a film with the size of the measurement's frame (1080 x 900) or a multiple of it. */
async function film(name: string, { orientation, times = 1 }: { orientation?: number; times?: number } = {}) {
  const [long, short] = [1080 * times, 900 * times];
  const [width, height] = orientation ? [short, long] : [long, short];
  const background = { r: 64, g: 64, b: (films += 1) };
  const upright = sharp({ create: { width, height, channels: 3, background } });
  return await bench.openFilm(
    name,
    orientation ? await upright.withMetadata({ orientation }).jpeg().toBuffer() : await upright.png().toBuffer(),
  );
}

async function exported() {
  const answer = await bench.call("films.exportAnnotated", { exportId: randomUUID() });
  const files = await readZip((await fetchedExport(bench.dataDir, answer.download.url)).bytes, {
    files: 100,
    fileBytes: 1e8,
    totalBytes: 1e9,
  });
  const index = JSON.parse(files.find(({ name }) => name === "index.json")!.bytes.toString("utf8")) as {
    version: number;
    images: AnnotatedImage[];
  };
  return { answer, files, index };
}

const { heart_top, heart_bottom, heart_right, heart_left } = measured.landmarks;

describe("films as annotated data", () => {
  it("contain users' readings in pixels of the exported image, and no film without one", async () => {
    await film("plain.png");
    const corrected = await film("turned.jpg", { orientation: 6, times: 2 });
    const geometry = {
      ...measuredPicture,
      heart: { heart_top, heart_bottom, heart_right, heart_left, VLAS: null },
      edges: [...measured.edges],
    };
    await bench.decide(corrected.id, { verdict: "corrected", who: "Dr. Muster", remark: "Rex, Mrs. X", geometry });
    const { answer, files, index } = await exported();
    expect([answer.exported, answer.skipped]).toEqual([1, 0]);
    const [image] = index.images;
    const double = ({ x, y }: { x: number; y: number }) => [(x + 0.5) * 2 - 0.5, (y + 0.5) * 2 - 0.5];
    expect(image).toMatchObject({
      file: `animal-${corrected.sha256.slice(0, 12)}.png`,
      width: 2160,
      height: 1800,
      species: null,
      facing: "left",
      group: "hi-res",
      note: "corrected, version 2",
      landmarks: { heart_top: double(heart_top), heart_bottom: double(heart_bottom), VLAS: null },
    });
    expect(image!.edges.map(([name]) => name)).toEqual(["T4", "T5", "T6", "T7", "T8", "T9", "T10"]);
    expect(image!.edges[0]![1]).toEqual(double(measured.edges[0]!));
    const picture = await sharp(files.find(({ name }) => name === image!.file)!.bytes).metadata();
    expect([picture.width, picture.height, picture.orientation ?? 1]).toEqual([2160, 1800, 1]);
    expect(JSON.stringify(index)).not.toMatch(/Muster|Rex|Mrs/);
    const { events } = await bench.call("audit.list", { actions: ["film.exported"] });
    expect(events.map(({ subject, detail }) => [subject, detail])).toEqual([[corrected.id, { way: "pictures" }]]);
  });

  it("keep the counted name T10 of the second of two edges", async () => {
    const { id } = await film("two.png");
    const [first, , , last] = measured.edges;
    const heart = { heart_top, heart_bottom, heart_right, heart_left, VLAS: null };
    const geometry = { ...measuredPicture, heart, edges: [first!, last!] };
    await bench.decide(id, { verdict: "corrected", geometry });
    const { index } = await exported();
    expect(index.images[0]!.edges.map(([name]) => name)).toEqual(["T4", "T10"]);
  });

  it("include the species of the patient", async () => {
    const accepted = await film("a.png");
    await bench.addPatient({ name: "Mia", species: "cat" }, accepted.id);
    await bench.accept(accepted.id);
    const { index } = await exported();
    expect(index.images.map(({ species, vhs }) => [species, vhs])).toEqual([["cat", measured.score.vhs]]);
  });

  it("skip a film without a file", async () => {
    const films = [await film("gone.png"), await film("kept.jpg")] as const;
    for (const { id } of films) await bench.accept(id);
    const [{ sha256 }, kept] = films;
    if (isOnPostgres) await rawly(bench.context.db, `DELETE FROM film_images WHERE sha256 = '${sha256}'`);
    else rmSync(path.join(bench.dataDir, "films", sha256));
    const { answer, index } = await exported();
    expect(answer).toMatchObject({ exported: 1, skipped: 1 });
    expect(index.images.map(({ file }) => file)).toEqual([`animal-${kept.sha256.slice(0, 12)}.png`]);
  });

  it("contain a DICOM film as an image without its attributes", async () => {
    const dicom = await bench.openFilm(
      "IM1",
      phantomFile({ instance: "1.2.276.5.1", patientName: "Sommer^Bella", grey: 90 }),
    );
    await bench.accept(dicom.id);
    const { files, index } = await exported();
    const picture = files.find(({ name }) => name === `dog-${dicom.sha256.slice(0, 12)}.png`)!;
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: "png", width: 96, height: 80 });
    expect(JSON.stringify(index) + picture.bytes.toString("latin1")).not.toContain("Sommer");
  });

  it.each(["jpeg", "png"] as const)("contain only the pixels of an upright %s, at full depth", async (format) => {
    const size = { width: 1080, height: 900, channels: 1 } as const;
    const samples = Uint16Array.from({ length: 1080 * 900 }, (_, index) => 4000 + (index % 50_000));
    const deep = sharp(samples, { raw: size }).toColourspace("grey16");
    const exif = { IFD0: { ImageDescription: "Rex, owner Mrs Miller" } };
    const film = await bench.openFilm("film", await deep.withExif(exif).toFormat(format).toBuffer());
    await bench.accept(film.id);
    const { files } = await exported();
    const picture = files.find(({ name }) => name === `animal-${film.sha256.slice(0, 12)}.png`)!;
    expect(picture.bytes.toString("latin1")).not.toContain("Miller");
    expect(await sharp(picture.bytes).metadata()).toMatchObject({
      width: 1080,
      height: 900,
      depth: format === "png" ? "ushort" : "uchar",
    });
    if (format === "png") {
      const { data } = await sharp(picture.bytes)
        .toColourspace("grey16")
        .raw({ depth: "ushort" })
        .toBuffer({ resolveWithObject: true });
      expect(new Uint16Array(data.buffer, data.byteOffset, 50)).toEqual(samples.slice(0, 50));
    }
  });

  async function accepted() {
    const filmIds: string[] = [];
    for (const name of ["one.png", "two.png"]) {
      const { id: filmId } = await film(name);
      await bench.accept(filmId);
      filmIds.push(filmId);
    }
    return filmIds;
  }
  const recorded = async () => (await bench.call("audit.list", { actions: ["film.exported"] })).events;
  const waiting = () => readdirSync(path.join(bench.dataDir, "exports"));

  it("are neither exported nor audited if one film cannot be audited", async () => {
    const filmIds = await accepted();
    const mend = await refuseRows(bench.context.db, "audit_events", {
      message: "refused",
      condition: `NEW.subject = '${filmIds[1]}'`,
    });
    const exportIt = () => bench.call("films.exportAnnotated", { exportId: randomUUID() });
    await expect(exportIt()).rejects.toMatchObject({ code: "INTERNAL" });
    expect([await recorded(), waiting()]).toEqual([[], []]);
    await mend();
    expect(await exportIt()).toMatchObject({ exported: 2 });
    expect([(await recorded()).length, waiting().length]).toEqual([2, 1]);
  });

  it("are neither exported nor audited if the export is cancelled", async () => {
    await accepted();
    const exportId = randomUUID();
    const { context, parts } = bench.desktop;
    vi.spyOn(context, "now").mockImplementation(() => (parts.jobs.cancel(exportId), new Date()));
    await expect(bench.call("films.exportAnnotated", { exportId })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect([await recorded(), waiting()]).toEqual([[], []]);
  });

  it("are served once, and unfetched exports are deleted", async () => {
    const { answer } = await exported();
    await expect(fetchedExport(bench.dataDir, answer.download.url)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(fetchedExport(bench.dataDir, "../../corvet.db")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await bench.call("films.exportAnnotated", { exportId: randomUUID() });
    expect(readdirSync(path.join(bench.dataDir, "exports"))).toHaveLength(1);
    await restart(bench);
    await bench.desktop.close();
    expect(readdirSync(bench.dataDir)).not.toContain("exports");
  });
});
