import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { germanFileFault } from "../../../renderer/ui/messages/file-faults.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const sources = globSync(
  [
    "main/dicom/*.ts",
    "main/dicom/pixels/*.ts",
    "main/services/import-*.ts",
    "main/services/import/zip-files.ts",
    "main/services/import/opened-paths.ts",
  ],
  { cwd: root },
);

/** Every detail that the program gives to a fault of a file, with 7 for what it fills in. */
const details = sources.flatMap((file) => {
  const code = readFileSync(`${root}${file}`, "utf8");
  return [...code.matchAll(/"([^"\n]{8,})"|`([^`\n]{8,})`/g)]
    .map(([, plain, template]) => (plain ?? template ?? "").replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, "7"))
    .filter((text) =>
      /^(The (DICOM|ZIP|file|folder|archive)|This (is|DICOMDIR)|There is|Films are|An archive|Pictures|Compressed pictures)/.test(
        text,
      ),
    );
});

test("the program's sources are read", () => expect(details.length).toBeGreaterThan(30));

test.each([...new Set(details)])("there is German for: %s", (detail) => {
  const german = germanFileFault(
    detail.replace("This is 7;", "This is a PDF;").replace("7compressed", "not compressed"),
  );
  expect(german).toMatch(/(Datei|Das ist|Archiv|Bilder|DICOMDIR|Aufnahmen|Ordner)/);
});

test("the name of the file stays before the fault, and other words stay as they are", () => {
  expect(germanFileFault("a: b.dcm: This is a TIFF picture; films are JPEG, PNG or DICOM")).toBeNull();
  expect(germanFileFault("b.dcm: The DICOM file is cut off: element (7FE0,0010) runs past its end")).toBe(
    "b.dcm: Die DICOM-Datei ist abgeschnitten: Element (7FE0,0010) reicht über ihr Ende hinaus",
  );
  expect(germanFileFault("b.tif: This is a TIFF picture; films are JPEG, PNG or DICOM")).toBe(
    "b.tif: Das ist ein TIFF-Bild; Aufnahmen sind JPEG, PNG oder DICOM",
  );
  expect(germanFileFault("Something else")).toBeNull();
});
