import { describe, expect, test } from "vitest";
import { caseOf, differenceOf, nameOfCase, toolsOfDcmtk } from "./against-dcmtk.ts";
import { hasTool } from "./dicom-tools.ts";
import { startedCodecs } from "../../../fixtures/dicom/started-codecs.ts";

const sample = Array.from({ length: 40 }, (_, index) => caseOf(50 * index));
const codecs = await startedCodecs();

describe.skipIf(!hasTool(...toolsOfDcmtk))("grey levels, compared with DCMTK", () => {
  test.each(sample.map((each) => [nameOfCase(each), each] as const))("%s", async (_, compared) => {
    expect(await differenceOf(compared, codecs)).toBeLessThanOrEqual(1);
  });
});
