import { describe, expect, test } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { parseHl7, valueOf, type Hl7Message } from "../../../core/hl7/hl7-message.ts";
import { hl7Text } from "../../../core/hl7/hl7-text.ts";
import { messagesOfOnePatient, patientChangeOf } from "../../../core/hl7/patient-message.ts";

const admission = [
  "MSH|^~\\&|VetSoft|Praxis|CORVET||20261122101500||ADT^A04|17|P|2.5.1||||||UNICODE UTF-8",
  "EVN|A04|20261122101500",
  "PID|1||X-1^^^A^MR~4711^^^Praxis^PI||Weiß^Bello||20190530|M|||||||||||||||||||||||||||||448771007^Hund^SCT|^Beagle",
  "NK1|1|Weiß^Jürgen^^^Dr.",
].join("\r");
// PID-35 and PID-36 at their positions according to the standard.
const pid = ["PID", "1", "", "X-1^^^A^MR~4711^^^Praxis^PI", "", "Weiß^Bello", "", "20190530", "M"];
const wholePid = [...pid, ...Array.from({ length: 26 }, () => ""), "448771007^Hund^SCT", "^Beagle"].join("|");
const message = admission.replace(/PID\|.*/, wholePid);
const only = (text: string) => parseHl7(text)[0]!;
const headerOf = (read: Hl7Message, ...fields: number[]) => fields.map((field) => valueOf(read, "MSH", field));
const apart = (whole: Hl7Message) => [...messagesOfOnePatient(whole)];

describe("a message", () => {
  test.each(["\r", "\n", "\r\n"])("is parsed with any segment terminator (%j)", (end) => {
    const bytes = only("MSH|^~\\&|M\\XC3BC\\ller|M\\XFC\\ller|\\X0A41\\");
    expect(headerOf(bytes, 3, 4, 5)).toEqual(["Müller", "Müller", "A"]);
    const read = only(message.replaceAll("\r", end));
    expect(read.segments.map(({ name }) => name)).toEqual(["MSH", "EVN", "PID", "NK1"]);
    expect([valueOf(read, "MSH", 9, 2), valueOf(read, "MSH", 10), valueOf(read, "PID", 5, 2)]).toEqual([
      "A04",
      "17",
      "Bello",
    ]);
  });

  test("may contain line feeds within fields", () => {
    const broken = message.replaceAll("Weiß", "We\niß").replace("Praxis^PI", "Pra\n\nxis^PI");
    const [one, other] = [message, broken].map((text) => patientChangeOf(only(text)));
    expect(other).toEqual({ ...one, patient: { ...one!.patient, owner: "Jürgen We iß" } });
    expect(only(`${message}\n\n`).segments).toHaveLength(4);
    expect(() => parseHl7("\n".repeat(2_000_000))).toThrow(AppError);
  });

  test("may spread the bytes of one character over several escapes", () => {
    const read = only("MSH|^~\\&|M\\XC3\\\\XBC\\ller|\\XE2\\\\X82AC\\|\\XFC\\ \\XE4\\|\\E\\XC3\\E\\|\\X41\\\\X42|");
    expect(headerOf(read, 3, 4, 5, 6, 7)).toEqual(["Müller", "€", "ü ä", "\\XC3\\", "A\\X42"]);
  });

  test("is decoded in linear time with many escapes", () => {
    const read = only(`MSH|^~\\&|A\rNTE|1||${"\\X41\\".repeat(800_000)}|${"\\XC3\\\\XBC\\".repeat(1000)}`);
    expect(valueOf(read, "NTE", 3)).toBe("A".repeat(800_000));
  });

  test("may use other delimiters", () => {
    const read = only("MSH#*+!%#A#B#C##2026##ADT*A08#1#P#2.3\rPID###4711####\rPID#1##4712##W!F!eiss*Be!S!llo");
    expect(valueOf(read, "MSH", 9, 2)).toBe("A08");
    expect(read.segments).toHaveLength(3);
  });

  test.each(["^~", "^~\\", "^~\\&", "^~\\&#"])(
    "may declare fewer delimiters, as in version 2.2, or one more: %s",
    (signs) => {
      const read = only(`MSH|${signs}|APP&x|B|||2026||ADT^A08|1|P|2.2\rPID|1||1~2|a\\F\\b`);
      expect(read.delimiters).toEqual({ field: "|", component: "^", repetition: "~", escape: "\\", subcomponent: "&" });
      expect([
        valueOf(read, "MSH", 3),
        valueOf(read, "MSH", 9, 2),
        valueOf(read, "PID", 3),
        valueOf(read, "PID", 4),
      ]).toEqual(["APP&x", "A08", "1", "a|b"]);
    },
  );

  test("decodes known escapes and keeps unknown ones", () => {
    const read = only("MSH|^~\\&|a\\F\\b|c\\S\\d|e\\T\\f|g\\R\\h|i\\E\\j||k\\X4142\\l|m\\Zx\\n|o\\p");
    expect(headerOf(read, 3, 4, 5, 6, 7, 9)).toEqual(["a|b", "c^d", "e&f", "g~h", "i\\j", "kABl"]);
    expect(headerOf(read, 10, 11)).toEqual(["m\\Zx\\n", "o\\p"]);
  });

  test("round-trips any characters", () => {
    const text = "a|b^c~d\\e&f\ng";
    const read = only(
      hl7Text([
        ["MSH", "x"],
        ["NTE", 1, null, text],
        ["PID", null, null, ["1", text, "2"]],
      ]),
    );
    expect(valueOf(read, "NTE", 3)).toBe(text);
    expect([1, 2, 3].map((component) => valueOf(read, "PID", 3, component))).toEqual(["1", text, "2"]);
  });

  test.each([
    "",
    "PID|1",
    "MSH",
    "MSH|",
    "MSH|^",
    "MSH|^^^^",
    "MSH|^|a",
    "MSH|^^|a",
    "MSH|^~a|b",
    "MSHabcde",
    `MSH|^~\\&|A\r${"NTE|1\r".repeat(20_000)}`,
  ])("is rejected if it is invalid", (text) => {
    expect(() => parseHl7(text)).toThrow(expect.objectContaining({ code: "INVALID_FIELD" }));
  });

  test("may be part of a batch", () => {
    expect(parseHl7(`FHS|^~\\&\rBHS|^~\\&\r${message}\r${message}\rBTS|2\rFTS|1`)).toHaveLength(2);
  });

  test("is parsed or rejected if it is damaged, without other errors", () => {
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const signs = "|^~\\&\r\nMSHPIDX0A\u000b\u001c ß";
    for (let round = 0; round < 600; round += 1) {
      const letters = [...message];
      for (let hits = next(6); hits >= 0; hits -= 1)
        letters.splice(next(letters.length), next(4), ...(next(2) ? [signs[next(signs.length)]!] : []));
      try {
        for (const read of parseHl7(letters.join("")).flatMap(apart)) patientChangeOf(read);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }
  });
});

describe("a patient", () => {
  const animal = { number: "4711", name: "Bello", owner: "Jürgen Weiß", species: "dog", breed: "Beagle" };

  test.each(["ADT^A01", "ADT^A04", "ADT^A08", "ORM^O01", "OML^O21"])("is extracted from %s", (type) => {
    expect(patientChangeOf(only(message.replace("ADT^A04", type)))).toEqual({ kind: "save", patient: animal });
  });

  test("is merged by A40", () => {
    const merge = `${message.replaceAll("A04", "A40")}\rMRG|0815^^^Praxis^PI`;
    expect(patientChangeOf(only(merge))).toEqual({ kind: "merge", patient: animal, formerNumber: "0815" });
  });

  test.each([
    ["X-2^^^A^MR~0815^^^Praxis^PI", "0815"],
    ["X-2^^^A^MR~0815", "X-2"],
  ])("is merged with the number of type PI, otherwise the first one: MRG-1 %s", (former, formerNumber) => {
    const merge = `${message.replaceAll("A04", "A40")}\rMRG|${former}`;
    expect(patientChangeOf(only(merge))).toMatchObject({ kind: "merge", formerNumber });
  });

  test("is merged by each group of an A40, with the data of that group", () => {
    const [header, event] = message.replaceAll("A04", "A40").split("\r");
    const group = (number: string, name: string, ...former: string[]) => [
      ...[`PID|1||${number}||Muster^${name}`, "PD1|x", `NK1|1|Muster^${name}a`, "PV1|1"],
      ...former.map((one) => `MRG|${one}`),
    ];
    const merging = [header, event, ...group("1", "Rex", "11"), ...group("2", "Bo", "21", "22")].join("\r");
    const changes = apart(only(merging)).map(patientChangeOf);
    expect(
      changes.map((change) => [
        ...[change?.kind, change?.patient.number, change?.patient.name, change?.patient.owner],
        change?.kind === "merge" && change.formerNumber,
      ]),
    ).toEqual([
      ["merge", "1", "Rex", "Rexa Muster", "11"],
      ["merge", "2", "Bo", "Boa Muster", "21"],
      ["merge", "2", "Bo", "Boa Muster", "22"],
    ]);
    const lacking = [header, ...group("1", "Rex"), ...group("2", "Bo", "21")].join("\r");
    const [first, second] = apart(only(lacking));
    expect(() => patientChangeOf(first!)).toThrow("MRG-1");
    expect(patientChangeOf(second!)).toMatchObject({ kind: "merge", formerNumber: "21" });
    expect(apart(only(message))).toEqual([only(message)]);
  });

  test("may be one of several in a message of another event", () => {
    const changes = apart(only(`${message}\r${wholePid.replace("4711", "4712").replace("Bello", "Rex")}`)).map(
      patientChangeOf,
    );
    expect(changes).toMatchObject([{ patient: animal }, { patient: { number: "4712", name: "Rex", owner: "Weiß" } }]);
  });

  test("is rejected with a deleted name", () => {
    expect(() => patientChangeOf(only(message.replace("Weiß^Bello", '""')))).toThrow(/PID-5/);
  });

  test("has the family name as owner if no other is stated", () => {
    expect(patientChangeOf(only(message.replace(/\rNK1.*/, "")))).toMatchObject({
      patient: { name: "Bello", owner: "Weiß" },
    });
  });

  test("is not extracted from other messages", () => {
    expect(patientChangeOf(only(message.replace("ADT^A04", "ORU^R01")))).toBeNull();
  });

  test.each(["PID-3", "PID-5", "MRG-1"])("is rejected without %s, with the field in the message", (field) => {
    const fields: Readonly<Record<string, string>> = {
      "PID-3": message.replace(pid[3]!, ""),
      "PID-5": message.replace("Weiß^Bello", ""),
      "MRG-1": message.replaceAll("A04", "A40"),
    };
    expect(() => patientChangeOf(only(fields[field]!))).toThrow(field);
  });
});

describe("names and numbers of a patient", () => {
  const patientOf = (pid3: string, pid5: string) =>
    patientChangeOf(only(`MSH|^~\\&|P|C|||2026||ADT^A04|1|P|2.5\rPID|1||${pid3}||${pid5}`))?.patient;

  test("may contain an unescaped ampersand", () => {
    expect(patientOf("1^^^^PI", "Smith^Tom & Jerry")).toMatchObject({ name: "Tom & Jerry", owner: "Smith" });
    expect(patientOf("1^^^^PI", "Smith & Sons^Rex")).toMatchObject({ name: "Rex", owner: "Smith & Sons" });
    expect(patientOf("1^^^^PI", "van Dyk&van&Dyk^Rex")).toMatchObject({ owner: "van Dyk" });
    expect(patientOf("R&D-1^^^^PI", "Smith^Rex")).toMatchObject({ number: "R&D-1" });
  });

  test("skip empty repetitions", () => {
    expect(patientOf("~4711^^^^PI", "~Smith^Rex")).toMatchObject({ number: "4711", name: "Rex" });
    expect(patientOf("^^^^PI~4712", "Smith^Rex")).toMatchObject({ number: "4712" });
  });
});
