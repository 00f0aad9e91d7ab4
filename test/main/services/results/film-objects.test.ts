// Runs once: its queries are tested elsewhere.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readDicomFile, type DicomFile } from "../../../../main/dicom/dicom-file.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { explicitLittleEndian } from "../../../../main/dicom/transfer-syntaxes.ts";
import { useBenchOfFile } from "../../../fixtures/use-bench.ts";
import { bytes, dataSet, partTen, text, us, type Written } from "../../dicom/dicom-writer.ts";
import { phantomElements } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

const bench = useBenchOfFile();

async function resultsOf(name: string, file: Uint8Array): Promise<ReadonlyMap<string, DicomFile>> {
  return objectsOf((await bench.openFilm(name, file)).id);
}

async function objectsOf(filmId: string): Promise<ReadonlyMap<string, DicomFile>> {
  const objects = await makeResultObjects(bench.desktop.context, filmId);
  return new Map(objects.map(({ fileName, bytes: content }) => [fileName, readDicomFile(content)]));
}

/** Inverted 12-bit film with a window and pixels of 0.1 x 0.1 mm. */
function deepFilm(instance: string, ...left: readonly string[]): Buffer {
  const samples = Uint16Array.from({ length: 96 * 80 }, (_, index) => index % 4096);
  const own: readonly Written[] = [
    text("00280004", "CS", "MONOCHROME1"),
    text("00280030", "DS", "0.1\\0.1"),
    us("00280100", 16),
    us("00280101", 12),
    us("00280102", 11),
    text("00281050", "DS", "1000"),
    text("00281051", "DS", "401"),
    text("00281052", "DS", "900"),
    text("00281053", "DS", "1"),
    bytes("7FE00010", "OW", Buffer.from(samples.buffer)),
  ];
  const others = phantomElements({ instance }).filter(({ tag }) => !own.some((one) => one.tag === tag));
  const elements = [...others, ...own].filter(({ tag }) => !left.includes(tag));
  return partTen(explicitLittleEndian, dataSet(...elements.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))));
}

const lossy = (file: DicomFile | undefined) => ["00282110", "00282112", "00282114"].map((tag) => file?.text(tag));
const windowOf = (file: ReturnType<DicomFile["items"]>[number] | undefined) => [
  file?.number("00281050"),
  file?.number("00281051"),
  file?.text("00281056"),
];

it("marks film and annotated image of a JPEG film as lossy", async () => {
  bench.engine.answers({ ...measured, widthPx: 1080, heightPx: 864 });
  const jpeg = readFileSync(new URL("../../../fixtures/films/dog-01.jpg", import.meta.url));
  const results = await resultsOf("bello.jpg", jpeg);
  const ofFilm = lossy(results.get("film.dcm"));
  expect(ofFilm).toEqual(["01", expect.stringMatching(/^\d+\.?\d*$/), "ISO_10918_1"]);
  expect(lossy(results.get("annotated.dcm"))).toEqual(ofFilm);
});

/** `film.dcm` is MONOCHROME2 with 4095 minus the stored values; the window is centred on the stored value 99.5. */
function expectCaptured(results: ReadonlyMap<string, DicomFile>): void {
  const [film, graphics] = [results.get("film.dcm"), results.get("graphics.dcm")];
  expect([film?.text("00280004"), film?.numbers("00280030")]).toEqual(["MONOCHROME2", [0.1, 0.1]]);
  const window = windowOf(film);
  expect(window).toEqual([4095 - 99.5, 400, "LINEAR_EXACT"]);
  expect(windowOf(graphics?.items("00283110")[0])).toEqual(window);
  expect([graphics?.text("20500020"), graphics?.has("00281052")]).toEqual(["IDENTITY", false]);
  const area = graphics?.items("0070005A")[0];
  expect(area?.numbers("00700101")).toEqual([0.1, 0.1]);
}

it("writes a re-encoded film with its window and spacing, and graphics that refer to it", async () => {
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  expectCaptured(await resultsOf("deep.dcm", deepFilm("1.2.3.4", "0020000E")));
});

it("re-encodes a film that was assigned to another patient", async () => {
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  const own = await resultsOf("deep.dcm", deepFilm("1.2.3.5"));
  expect([...own.keys()]).toEqual(["annotated.dcm", "report.dcm", "graphics.dcm"]);
  expect(own.get("graphics.dcm")?.text("20500020")).toBe("INVERSE");
  const { id } = await bench.addPatient({ owner: "Muster", uuid: "P-9" });
  const filmId = (await bench.call("films.list", {})).films[0]!.id;
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId: id });
  expectCaptured(await objectsOf(filmId));
});
