import { expect, test } from "vitest";
import { maxPasteLength, parseLabRow as parse } from "../../../../renderer/usg/pasting/lab-row.ts";
import { signsOf } from "../../../../renderer/usg/units/typed-quantity.ts";

const parseLabRow = (text: string, locale = "en-GB") =>
  Object.fromEntries(
    Object.entries(parse(text, signsOf(locale)).found).map(([key, { text, unit }]) => [key, { text, unit }]),
  );
const entry = (text: string, unit: 0 | 1 = 0) => ({ text, unit });
const bare = (text: string) => ({ text, unit: null });
const whole = { BUN: "28", CREATININE: "2.1", HGB: "11.3", "ABSOLUTE LYMPHOCYTES": "2400", age_months: "168" };

test.each([
  ["five bare numbers, tabs", "28\t2.1\t11.3\t2400\t168"],
  ["five bare numbers, spaces", "28 2.1 11.3 2400 168"],
  ["decimal commas, semicolons", "28;2,1;11,3;2400;168"],
  ["thousands set apart by a space", "28;2,1;11,3;2 400;168"],
  ["a header above", "BUN\tCREA\tHGB\tLYMPH\tAGE\n28\t2.1\t11.3\t2400\t168"],
  ["a header with units", "BUN (mg/dL);Creatinine (mg/dL);HGB (g/dL);Lymphocytes;Age\n28;2.1;11.3;2400;168"],
  ["names beside values", "BUN 28 mg/dL  CREA 2.1 mg/dL  HGB 11.3 g/dL  LYMPH 2400 /uL  Age 168"],
  ["one per line", "BUN: 28\nCreatinine: 2.1\nHb = 11.3\nLymphocytes absolute: 2400\nAge: 168 months"],
  ["German names", "Harnstoff-N: 28\nKreatinin: 2,1\nHämoglobin: 11,3\nLymphozyten: 2400\nAlter: 168 Monate"],
  ["another order", "Age: 168\nHGB: 11.3\nLYM: 2400\nCREA: 2.1\nBUN: 28"],
])("reads %s", (_, text) => {
  const read = Object.entries(parseLabRow(text)).map(([key, { text }]) => [key, text]);
  expect(Object.fromEntries(read)).toEqual(whole);
});

test("reads no values from columns of several days, whose order is unknown", () => {
  const days = "\t12/11/2026\t01/02/2026\nCREA\t2.4\t1.9\nBUN\t30\t<20\nHGB\t11.3\t9.8 - 15.4";
  expect(parseLabRow(days)).toEqual({ HGB: bare("11.3") });
  expect(parseLabRow(days.replace("\t01/02/2026", ""))).toMatchObject({ CREATININE: bare("2.4"), BUN: bare("30") });
});

test("does not guess a missing unit", () => {
  expect(parseLabRow("BUN 28\nCREA 2.1 mg/dL\nHb (g/l): 113")).toEqual({
    BUN: bare("28"),
    CREATININE: entry("2.1"),
    HGB: entry("113", 1),
  });
});

test("recognises units", () => {
  expect(parseLabRow("Crea 186 µmol/L\nHGB 113 g/L\nLYM 2.4 K/µL\nAge 14 years\nUrea 10 mmol/L")).toEqual({
    CREATININE: entry("186", 1),
    HGB: entry("113", 1),
    "ABSOLUTE LYMPHOCYTES": entry("2.4", 1),
    age_months: entry("14", 1),
    BUN: entry("10", 1),
  });
});

test("does not guess the unit of an age, unless it can only be months", () => {
  expect([parseLabRow("Age 11"), parseLabRow("Age 31")]).toEqual([
    { age_months: bare("11") },
    { age_months: entry("31") },
  ]);
});

test("reads a unit in a cell of its own, and a value marked as out of range", () => {
  expect(parseLabRow("CREA\t>\t\nCREA\t212\tumol/l\nBUN\t41\tmg/dl")).toEqual({
    CREATININE: entry("212", 1),
    BUN: entry("41"),
  });
});

test.each(["", "   ", "no numbers here", "1 2 3", "Glucose 120\nSodium 150"])("reads nothing from %j", (text) => {
  expect(parseLabRow(text)).toEqual({});
});

test.each([
  ["urea by weight", "Harnstoff 64,2 mg/dl"],
  ["urea without a unit", "UREA 64"],
  ["urea by weight in a column", "UREA (mg/dL)\tALT\tBUN/CREA\n64\t40\t17"],
  ["a unit that the field does not know", "Hb 7,5 g/kg"],
  ["a unit in brackets that the field does not know", "Hb (g/kg): 7,5"],
  ["the haemoglobin of one cell", "RET-Hb 15 pg"],
  ["a percentage", "% Lymphozyten 13,4 %\nLYM % 13.4\nLYM% 13.4\nLymphocytes (%) 13,4\nLymphozyten 13,4 %"],
  ["ratios", "BUN/CREA 17\nBUN:CREA 17\nHarnstoff / Kreatinin 17\nKreatinin-Quotient 2\nCreatinine ratio 2"],
  ["urine", "U-Crea 120 mg/dL\nCreatinine (urine) 120 mg/dL\nProtein/Creatinine 0.2\nUrine creatinine 120"],
  ["urine in German", "Kreatinin (U) 120 mg/dl\nKreatinin (Harn): 120 mg/dl"],
  ["urine in a column", "Kreatinin (U)\tALT\tCreatinine (urine)\n120\t40\t120"],
  ["a range or a date", "CREA 0.8-2.4\nBUN 28.11.2026"],
  ["a date or a time", "HGB 12/11/2026\nCREA 12-Nov-2026\nBUN 14:30\nLYM 12/11"],
  ["values of several days", "HGB 12/11/2026 9.4 g/dL 13/11/2026 8.8 g/dL"],
  ["five numbers with units that belong to no name", "10 mmol/l 186 µmol/l 113 g/l 2.4 G/l 14"],
  ["a row of units below the names", "CREA\tLYM\nmg/dL\t10^9/L"],
  ["an age in weeks", "Age 40 weeks"],
])("reads nothing from %s", (_, text) => {
  expect(parseLabRow(text)).toEqual({});
});

test.each([
  ["BUN/CREA 17\nCREA 2.1 mg/dL", "CREATININE", entry("2.1")],
  ["CREA 15 mg/L", "CREATININE", entry("1.5")],
  ["CREA 2.1* H (0.8-2.4) mg/dL", "CREATININE", entry("2.1")],
  ["Creatinine (µmol/L): 186", "CREATININE", entry("186", 1)],
  ["CREA 2.1 ALT 45", "CREATININE", bare("2.1")],
  ["Harnstoff 10,7 mmol/l", "BUN", entry("10.7", 1)],
  ["Harnstoff (BUN) 30 mg/dl", "BUN", entry("30")],
  ["MCH 15 pg\nHb 11,3 g/dl", "HGB", entry("11.3")],
  ["% Lymphozyten 13,4 %\nLymphozyten 1,5 G/l", "ABSOLUTE LYMPHOCYTES", entry("1.5", 1)],
  ["LYM 13.4\nLYM 1.8 K/µL", "ABSOLUTE LYMPHOCYTES", entry("1.8", 1)],
  ["Lymphocytes 13,4 % 1 340 /mm³", "ABSOLUTE LYMPHOCYTES", entry("1340")],
  ["LYM 1 800 /µL", "ABSOLUTE LYMPHOCYTES", entry("1800")],
  ["LYM 1\u202f800 /µL", "ABSOLUTE LYMPHOCYTES", entry("1800")],
  ["LYM 1'800 /µL", "ABSOLUTE LYMPHOCYTES", entry("1800")],
  ["LYM 1,800 /µL", "ABSOLUTE LYMPHOCYTES", entry("1800")],
  ["LYM 2.4 ×10³/µL", "ABSOLUTE LYMPHOCYTES", entry("2.4", 1)],
  ["LYM 2 103/µL", "ABSOLUTE LYMPHOCYTES", entry("2", 1)],
  ["LYM 1.8 10^9/L", "ABSOLUTE LYMPHOCYTES", entry("1.8", 1)],
  ["LYM (10^9/L)\tCREA (µmol/L)\n1.8\t186", "ABSOLUTE LYMPHOCYTES", entry("1.8", 1)],
  ["LYM (10^9/L) CREA (µmol/L)\n1.8 186", "CREATININE", entry("186", 1)],
  ["HGB 12/11/2026 9.4 g/dL", "HGB", entry("9.4")],
  ["Creatinine 02/11/2026 4.6 mg/dL", "CREATININE", entry("4.6")],
  ["Kreatinin 02.11.26 14.30 Uhr: 4,6 mg/dl", "CREATININE", entry("4.6")],
  ["BUN 14:30 68 mg/dL", "BUN", entry("68")],
  ["HGB 12 H 10 - 11.5 g/dL", "HGB", entry("12")],
  ["BUN 2026-11-02T14:30:05Z 68 mg/dL", "BUN", entry("68")],
  ["Hb 2 nov. 2026 14h30 11,3 g/dL", "HGB", entry("11.3")],
  ["Date\tCREA\n02/11/2026\t4.6", "CREATININE", undefined],
  ["Date;BUN;CREA\n02/11/2026;68;4.6", "CREATININE", bare("4.6")],
  ["BUN 68 mg/dL 02/11/2026 CREA 4.6 mg/dL 02/11/2026", "CREATININE", entry("4.6")],
  ["BUN 8.2 5.7-12 mmol/L", "BUN", entry("8.2", 1)],
  ["HGB 94 8.0-15 g/L", "HGB", entry("94", 1)],
  ["Lym 1.5 1.2-10 K/uL", "ABSOLUTE LYMPHOCYTES", entry("1.5", 1)],
  ["Harnstoff 8.2 3.3-10 mmol/l", "BUN", entry("8.2", 1)],
  ["BUN 11/28/2026 68 mg/dL", "BUN", entry("68")],
  ["Age 14 y 3 mo", "age_months", entry("171")],
] as const)("reads from %j the value of %s", (text, key, wanted) => {
  expect(parseLabRow(text)[key]).toEqual(wanted);
});

test("does not read M after an age as months, as it may mean male", () => {
  expect(parseLabRow("Age 14 M")).toEqual({ age_months: bare("14") });
});

test.each([
  "Age: 12 y 4 m",
  "Age: 12y 4m",
  "Age: 12y4m",
  "Age: 12 yrs, 4 mths",
  "Age: 12 years and 4 months, 4.5 kg",
  "Age: 12 year(s) 4 month(s)",
  "Age\t12 y\t4 m",
  "Alter: 12 J 4 M",
  "Alter: 12 J. 4 M., 4,5 kg",
  "Alter 12 Jahre und 4 Monate",
  "Âge : 12 ans et 4 mois",
  "Âge : 12 a 4 m",
  "BUN\tAlter\n28\t12 J 4 M",
])("keeps the months of an age: %j", (text) => {
  expect(parseLabRow(text)["age_months"]).toEqual(entry("148"));
});

test("reads an age of less than a year that is written with years", () => {
  expect(parseLabRow("Alter: 0 J 8 M")).toEqual({ age_months: entry("8") });
});

test.each([
  "Age: 12 y 14 m",
  "Age: 12 y 4",
  "Age: 12 y 4 mnths",
  "Age: 12 y 4 m 3 d",
  "Age: 8 months 2 weeks",
  "Age: 12 m 4 d",
  "Age: 12½ years",
  "Âge : 12 ans et demi",
  "BUN\tAge\n\t12 4",
])("does not shorten an age by an unknown part: %j", (text) => {
  expect(parseLabRow(text)).toEqual({});
});

test.each([
  "Age 12 years, 4.5 kg",
  "Age 12 years 4 kg",
  "Age 12 years (11.03.2014)",
  "Age 12 years 11/03/2014",
  "Age\t12 years\t0\t20",
  "Age 12 years BUN 28",
])("ignores text after an age that is not part of it: %j", (text) => {
  expect(parseLabRow(text)["age_months"]).toEqual(entry("12", 1));
});

test.each([
  "Creatinine < 0.2 mg/dL",
  "Creatinine: <0.2 mg/dL",
  "CREA\t<\t0.2\tmg/dL",
  "CREA ≤ 0.2",
  "Creatinine > 30 mg/dL",
  "BUN;CREA\n;<0.2",
  "BUN;CREA\n;>= 30 mg/dL",
])("reports a limit instead of a value: %j", (text) => {
  expect(parse(text, signsOf("en-GB"))).toEqual({ found: {}, limits: ["CREATININE"] });
});

test("prefers a value to a limit", () => {
  expect(parse("CREA <0.2 mg/dL\nCREA 18 µmol/L\nBUN (<36) 28\nLYM <1 % 1800", signsOf("en-GB"))).toMatchObject({
    found: { CREATININE: entry("18", 1), BUN: bare("28"), "ABSOLUTE LYMPHOCYTES": bare("1800") },
    limits: [],
  });
});

test("reads a French report", () => {
  const report = "Urée 10,5 mmol/L\nCréatinine 15,2 mg/L\nHémoglobine : 11,3 g/dL\nLymphocytes 1 800 /mm³\nÂge 14 ans";
  const wanted = {
    BUN: entry("10.5", 1),
    CREATININE: entry("1.52"),
    HGB: entry("11.3"),
    "ABSOLUTE LYMPHOCYTES": entry("1800"),
    age_months: entry("14", 1),
  };
  for (const form of ["NFC", "NFD"]) expect(parseLabRow(report.normalize(form), "fr-FR")).toEqual(wanted);
  const columns = "Urée (mmol/L)\tCréat. (mg/L)\tHb (g/dL)\tLym (10⁹/L)\tÂge (ans)\n10,5\t15,2\t11,3\t1,8\t14";
  expect(parseLabRow(columns, "fr-FR")).toEqual({ ...wanted, "ABSOLUTE LYMPHOCYTES": entry("1.8", 1) });
});

test("distinguishes a written unit from the field's default", () => {
  const { found } = parse("LYM 0.03 K/µL\nCreatinine (mg/dL): 4.5\nHGB 11.3\nBUN 28 mg/dL", signsOf("en-GB"));
  expect(
    Object.entries(found)
      .filter(([, { isStated }]) => isStated)
      .map(([key]) => key),
  ).toEqual(["BUN", "CREATININE", "ABSOLUTE LYMPHOCYTES"]);
});

test("reads SI units of each value", () => {
  const text = "Harnstoff 8,2 mmol/l; Kreatinin 0,12 mmol/l; HGB 7,0 mmol/l; Lymphozyten 2,5 G/l; Alter 168 Monate";
  expect(parseLabRow(text, "de-DE")).toEqual({
    BUN: entry("8.2", 1),
    CREATININE: entry("1.3574661"),
    HGB: entry("11.2798"),
    "ABSOLUTE LYMPHOCYTES": entry("2.5", 1),
    age_months: entry("168"),
  });
  expect(parseLabRow("Crea 1.2 mg/100ml")).toEqual({ CREATININE: entry("1.2") });
});

test.each(["(", "[", "CREA(", "BUN (1", "1.", "12:00 ", "1/1/20 ", "AGE 1 y ", "CREA 1 1 1 ", "LYM 1 000 ", "10^"])(
  "parses the longest text of repeated %j without blocking the page",
  (part) => {
    const text = part.repeat(Math.floor(maxPasteLength / part.length));
    const before = process.threadCpuUsage();
    parse(text, signsOf("en-GB"));
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(200);
  },
);
