import { expect, test } from "vitest";
import { compileCodecs, startCodecs } from "../../../../main/dicom/pixels/coded/codec-module.ts";
import { caseOf, differenceOf, nameOfCase, toolsOfDcmtk } from "./against-dcmtk.ts";
import { hasTool } from "./dicom-tools.ts";

test.skipIf(!hasTool(...toolsOfDcmtk))("shows 2,000 generated files like DCMTK, within one grey level", async () => {
  const codecs = await startCodecs(await compileCodecs());
  const different: string[] = [];
  for (let index = 0; index < 2000; index += 1) {
    const compared = caseOf(index);
    const difference = await differenceOf(compared, codecs);
    if (difference > 1) different.push(`${nameOfCase(compared)}: ${difference}`);
  }
  expect(different).toEqual([]);
});
