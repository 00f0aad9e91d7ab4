import { describe, expect, it } from "vitest";
import { isOpeningLink, readOpeningLink } from "../../../core/opening/opening-target.ts";

describe("a link", () => {
  it.each([
    ["corvet://open?number=P-4711", { kind: "number", value: "P-4711", issuer: null }],
    ["corvet://open/?uuid=M%C3%BCller%20%26%20S%C3%B6hne", { kind: "uuid", value: "Müller & Söhne", issuer: null }],
    ["CORVET://OPEN?dicom=12+3&issuer=CLINIC", { kind: "dicom", value: "12+3", issuer: "CLINIC" }],
    ["corvet://open?microchip=276098106123456", { kind: "microchip", value: "276098106123456", issuer: null }],
    ["corvet://open?instance=1.2.276.0.1", { kind: "instance", value: "1.2.276.0.1", issuer: null }],
    ["corvet://open?file=C%3A%5CInbox%5Ca=b.dcm", { kind: "file", value: "C:\\Inbox\\a=b.dcm", issuer: null }],
  ])("specifies one target: %s", (link, target) => expect(readOpeningLink(link)).toEqual(target));

  it.each([
    "corvet://open",
    "corvet://open?",
    "corvet://open?number",
    "corvet://open?number=",
    "corvet://open?number=1&number=2",
    "corvet://open?number=1&file=x",
    "corvet://open?number=1&issuer=X",
    "corvet://open?issuer=X",
    "corvet://open?number=%E4",
    "corvet://open?number=%00",
    "corvet://open?number=%ED%A0%80",
    "corvet://open?instance=../etc",
    "corvet://open?run=calc.exe",
    "corvet://open?number=1#t=token",
    "corvet://app/?number=1",
    "corvet://user@open?number=1",
    "https://open?number=1",
    ` corvet://open?number=1`,
    `corvet://open?number=${"9".repeat(5000)}`,
    `corvet://open?file=${"a".repeat(1001)}`,
  ])("is rejected if it contains anything else: %s", (link) => {
    expect(() => readOpeningLink(link)).toThrow(
      expect.objectContaining({ code: "INVALID_FIELD", reason: { name: "linkUnreadable", values: {} } }),
    );
  });

  it("is distinguished from a file and an option", () => {
    const words = ["corvet://open?number=1", "Corvet:x", "corvet.dcm", "--corvet:", "/corvet:"];
    expect(words.filter(isOpeningLink)).toEqual(["corvet://open?number=1", "Corvet:x"]);
  });
});
