// Runs once: has no store.
import { expect, test } from "vitest";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { matchOf } from "../../../../main/dicom/network/query/responses.ts";
import { filmCapture } from "../../../../main/dicom/results/secondary-capture.ts";
import { explicitLittleEndian } from "../../../../main/dicom/transfer-syntaxes.ts";
import { orderOf } from "../../../../main/services/network/order-query.ts";
import { studyOf } from "../../../../main/services/network/study-query.ts";
import { dataSet, text } from "../../dicom/dicom-writer.ts";
import { subjects } from "../../dicom/results/subjects.ts";

const [patientName, referrer] = ["Yamada^Pochi=山田^ポチ=やまだ^ぽち", "Sato^Ken=佐藤^健"];
const answered = dataSet(
  text("00080005", "CS", "ISO_IR 192"),
  text("00080090", "PN", referrer),
  text("00100010", "PN", patientName),
  text("00100020", "LO", "P-5"),
  text("00102297", "PN", "Yamada^Taro=山田^太郎"),
  text("0020000D", "UI", "1.2.3.71"),
);
const match = matchOf(answered, explicitLittleEndian)!;

test("writes the names of an order to results in all scripts", () => {
  const order = orderOf(match)!;
  const grey = { widthPx: 2, heightPx: 1, bits: 8, window: null, data: new Uint8Array(2) };
  const subject = { ...subjects["a proposal"]!, order };
  const { bytes } = filmCapture(subject, grey, { compression: null, spacing: null, isRectified: false });
  const film = readDicomFile(bytes);
  expect([film.text("00100010"), film.text("00080090")]).toEqual([patientName, referrer]);
});

test("shows names only in the first script", () => {
  expect(orderOf(match)!.patient).toMatchObject({ name: "Pochi", owner: "Taro Yamada" });
  expect(studyOf(match)).toMatchObject({ patientName: "Yamada Pochi", responsiblePerson: "Yamada Taro" });
});

test("skips a match that cannot be read", () => {
  expect(matchOf(answered.subarray(0, -4), explicitLittleEndian)).toBeNull();
});
