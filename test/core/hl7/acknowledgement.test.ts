import { expect, test } from "vitest";
import { acknowledgementOf } from "../../../core/hl7/acknowledgement.ts";

test.each([
  ["MSA|AA|7\r", { outcome: "taken", said: "AA" }],
  ["MSA|CE|7|later\r", { outcome: "error", said: "CE: later" }],
  ["MSA|AR|7\rERR||||E||||wrong \\T\\ late\r", { outcome: "refused", said: "AR: wrong & late" }],
  ["MSA|XX|7\r", null],
  ["MSA|AA|8\r", null],
])("parses %j", (segments, expected) => {
  expect(acknowledgementOf(`MSH|^~\\&|A|B\r${segments}`, "7")).toEqual(expected);
});

test("returns null for a text that is not HL7", () => {
  expect(acknowledgementOf("HTTP/1.1 400 Bad Request", "7")).toBeNull();
});
