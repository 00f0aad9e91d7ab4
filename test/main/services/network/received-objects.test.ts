// Runs once: counts calls of the DICOM reader.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { createReceivedObjects } from "../../../../main/services/network/received-objects.ts";
import { receivedDir } from "../../../../main/store/files/store-files.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured, temporaryDataDir } from "../../store/sample-store.ts";

const bench = useBench();

it("reads the elements of a received object once", async ({ onTestFinished }) => {
  // Another folder than the program's, which imports objects of an earlier run.
  const { dataDir, remove } = temporaryDataDir();
  onTestFinished(remove);
  const context = { ...bench.desktop.context, dataDir };
  const contents = vi.spyOn(context.dicom, "contents");
  const received = createReceivedObjects(
    context,
    () => undefined,
    () => Promise.resolve(),
  );
  mkdirSync(receivedDir(dataDir), { recursive: true });
  const object = phantomFile({ instance: "1.2.3.4", patientId: "P-1" });
  writeFileSync(path.join(receivedDir(dataDir), "object.dcm"), object);
  await received.import("object.dcm");
  await received.close();
  expect((await bench.call("films.list", {})).films).toMatchObject([{ fileName: "1.2.3.4.dcm" }]);
  expect(contents).toHaveBeenCalledTimes(1);
});

it("decodes the frame of a film once, for its thumbnail and its measurement", async () => {
  bench.engine.answers(measured);
  const frame = vi.spyOn(bench.desktop.context.dicom, "frame");
  await bench.addFile("film.dcm", phantomFile({ instance: "1.2.3.5", patientId: "P-2" }));
  await bench.desktop.parts.queue.whenIdle();
  expect((await bench.call("films.list", {})).films).toMatchObject([{ state: "done" }]);
  expect(frame).toHaveBeenCalledTimes(1);
});
