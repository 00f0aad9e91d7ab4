// Runs once: its queries are tested in exported-films and listing-films.
import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, expect, test } from "vitest";
import { addObjectToWorklist, importBytes } from "../../../../main/services/import/import-files.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

const benches: DesktopBench[] = [];
let bytes: Buffer;
beforeAll(async () => {
  bytes = await exported();
});
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.remove();
});

async function open(): Promise<DesktopBench> {
  const bench = await openBench();
  benches.push(bench);
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  return bench;
}

/** De-identified objects, which have no private elements, like those of archives that remove them. */
async function exported(): Promise<Buffer> {
  const bench = await open();
  const { id } = await bench.openFilm("bello.dcm", phantomFile({ instance: "1.2.3.4" }));
  const { download } = await bench.call("deidentify.export", {
    exportId: randomUUID(),
    ...{ films: [{ filmId: id, areas: [] }], contents: ["dicom"], dates: "removed", descriptors: "removed" },
    ...{ keepsPatient: false, withKeyFile: false, language: "en" },
  });
  return Buffer.from((await fetchedExport(bench.dataDir, download.url)).bytes);
}

test("opens an export without names as one film with the readings of its report", async () => {
  const bench = await open();
  const opened = await importBytes(bench.desktop.context, { name: "a.zip", bytes, origin: "file" }, false);
  expect([opened.faults, opened.leftAlone.filter(({ name }) => name.endsWith(".dcm"))]).toEqual([[], []]);
  expect(new Set(opened.films.map(({ film }) => film.id)).size).toBe(1);
  const { films } = await bench.call("films.list", {});
  expect(films).toMatchObject([{ state: "done" }]);
});

test("keeps Corvet's own image and presentation state until their film arrives, instead of adding films", async () => {
  const files = await readZip(bytes, { files: 100, fileBytes: 1e8, totalBytes: 1e9 });
  const bench = await open();
  for (const { name, bytes } of files.filter((file) => /(?:annotated|graphics)\.dcm$/.test(file.name))) {
    const became = await addObjectToWorklist(bench.desktop.context, { name, bytes, origin: "dicom" });
    expect([name, became]).toEqual([name, expect.objectContaining({ name: "resultKept" })]);
  }
  expect((await bench.call("films.list", {})).films).toEqual([]);
});
