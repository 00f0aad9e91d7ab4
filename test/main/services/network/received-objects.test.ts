// Runs once: counts calls of the DICOM reader.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { createReceivedObjects } from "../../../../main/services/network/received-objects.ts";
import { receivedDir } from "../../../../main/store/files/store-files.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { folderForTest } from "../../../fixtures/folders.ts";

const bench = useBench();

/** Received objects in a folder other than the bench's, which imports leftovers itself; it contains `object.dcm`. */
function receivedObjects() {
  const dataDir = folderForTest();
  mkdirSync(receivedDir(dataDir), { recursive: true });
  const object = phantomFile({ instance: "1.2.3.4", patientId: "P-1" });
  writeFileSync(path.join(receivedDir(dataDir), "object.dcm"), object);
  return createReceivedObjects({ ...bench.desktop.context, dataDir }, () => Promise.resolve());
}

it("reads the elements of a received object once", async () => {
  const contents = vi.spyOn(bench.desktop.context.dicom, "contents");
  const received = receivedObjects();
  await received.import("object.dcm");
  await received.close();
  expect((await bench.call("films.list", {})).films).toMatchObject([{ fileName: "1.2.3.4.dcm" }]);
  expect(contents).toHaveBeenCalledTimes(1);
});

it("imports objects of an earlier run even if files set aside cannot be listed", async () => {
  const received = receivedObjects();
  vi.spyOn(received.setAside, "adopt").mockRejectedValueOnce(new AppError("STORE_UNAVAILABLE"));
  await received.importLeftovers();
  await expect
    .poll(async () => (await bench.call("films.list", {})).films)
    .toMatchObject([{ fileName: "1.2.3.4.dcm" }]);
  await received.close();
});

it("decodes the frame of a film once for thumbnail and measurement", async () => {
  bench.engine.answers(measured);
  const frame = vi.spyOn(bench.desktop.context.dicom, "frame");
  expect(await bench.openFilm("film.dcm", phantomFile({ instance: "1.2.3.5" }))).toMatchObject({ state: "done" });
  expect(frame).toHaveBeenCalledTimes(1);
});
