import { beforeEach, expect, test } from "vitest";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { signsOf } from "../../../renderer/usg/units/typed-quantity.ts";
import { useUsg } from "../../../renderer/usg/usg-slice.ts";
import { clearToasts } from "../../fixtures/page/clear-toasts.ts";
import { shownTexts } from "../../fixtures/page/shown-texts.ts";

const screened = (patientId: string | null) => ({
  id: `of-${patientId}`,
  patientId,
  values: { BUN: 41, CREATININE: 140 / 88.4, HGB: 11.3, "ABSOLUTE LYMPHOCYTES": 2345.678, age_months: 168 },
});
const signs = signsOf("en-GB");
const typed = () => useUsg.getState().entries.BUN.text;
let answers: PromiseWithResolvers<unknown>[];
let asked: unknown[];

beforeEach(() => {
  clearToasts();
  useUsg.setState(useUsg.getInitialState());
  answers = [];
  asked = [];
  answerCalls((channel, request: unknown) => {
    if (channel.startsWith("usg.")) asked.push(request);
    const answer = Promise.withResolvers<unknown>();
    answers.push(answer);
    return answer.promise as never;
  });
  useUsg.getState().setEntry("BUN", { text: "41", unit: 0 });
});

test("keeps values typed before a cat was chosen, and clears the form for another cat", async () => {
  useUsg.getState().turnTo("minka");
  expect(typed()).toBe("41");
  const screening = useUsg.getState().screen("minka", null);
  answers[0]!.resolve({ ok: true, value: screened("minka") });
  await screening;
  useUsg.getState().turnTo("minka");
  expect([typed(), useUsg.getState().screening?.id]).toEqual(["41", "of-minka"]);
  useUsg.getState().turnTo("felix");
  expect([typed(), useUsg.getState().screening]).toEqual(["", null]);
});

test("ignores a slider's response that arrives after a reset or a new screening", async () => {
  useUsg.setState({ screening: screened("minka") as never });
  for (const leave of [
    () => useUsg.getState().resetWhatIf(),
    () => useUsg.getState().showEarlier(screened("minka") as never),
  ]) {
    useUsg.getState().imagine("BUN", 90);
    leave();
    answers.at(-1)!.resolve({ ok: true, value: {} });
    await answers.at(-1)!.promise;
    await Promise.resolve();
    expect(useUsg.getState().whatIf).toBeNull();
  }
});

test("keeps a result only with the values from which it was computed", () => {
  const { setEntry, setUnit, readRow } = useUsg.getState();
  const shown = () => {
    const { screening, whatIf } = useUsg.getState();
    return [screening, whatIf];
  };
  for (const change of [
    () => setEntry("CREATININE", { text: "2.4", unit: 0 }),
    () => readRow("HGB 9.8 g/dL", signs),
    () => setUnit("age_months", 1),
  ]) {
    setEntry("age_months", { text: "14", unit: null });
    useUsg.setState({ screening: screened(null) as never, whatIf: { values: {} as never, answer: null } });
    setEntry("BUN", { text: "41.0", unit: 0 });
    expect(shown()).not.toContain(null);
    change();
    expect(shown()).toEqual([null, null]);
  }
});

test("ignores a response for values that have been changed or cleared", async () => {
  const { screen, setEntry, clear } = useUsg.getState();
  for (const [index, change] of [() => setEntry("BUN", { text: "42", unit: 0 }), clear].entries()) {
    const screening = screen(null, null);
    change();
    expect(useUsg.getState().pending).toBeNull();
    answers[index]!.resolve({ ok: true, value: screened(null) });
    await screening;
    expect(useUsg.getState().screening).toBeNull();
  }
});

test("keeps a partially parsed text, and names values from before", () => {
  const { readRow, turnTo } = useUsg.getState();
  const shown = () => {
    const { row, pasted } = useUsg.getState();
    return [row, pasted];
  };
  const part = "CREA 2.1 mg/dL\nHb 7.5 g/kg";
  turnTo("minka");
  readRow(part, signs);
  const missing = ["BUN", "HGB", "ABSOLUTE LYMPHOCYTES", "age_months"];
  expect(shown()).toEqual([part, { row: part, missing, limits: [], left: ["BUN"] }]);
  turnTo("felix");
  expect(shown()).toEqual(["", null]);
  readRow("28 2.1 11.3 2400 168", signs);
  expect(shown()).toEqual(["", null]);
});

test("assigns the unit of its field to a pasted number without a unit", () => {
  const { setUnit, readRow } = useUsg.getState();
  setUnit("BUN", 1);
  readRow("BUN 10.2\nCREA 2.1 mg/dL\nAge 14", signs);
  const { entries } = useUsg.getState();
  expect([entries.BUN, entries.CREATININE, entries.age_months]).toEqual([
    { text: "10.2", unit: 1, isStated: true },
    { text: "2.1", unit: 0, isStated: true },
    { text: "14", unit: null },
  ]);
  setUnit("BUN", 0);
});

test("leaves a field empty for a limit, and lists it as not read", () => {
  const { readRow } = useUsg.getState();
  readRow("BUN 28 mg/dL, Creatinine < 0.2 mg/dL", signs);
  const { entries, pasted } = useUsg.getState();
  expect([entries.BUN.text, entries.CREATININE.text]).toEqual(["28", ""]);
  expect([pasted?.missing.includes("CREATININE"), pasted?.limits]).toEqual([true, ["CREATININE"]]);
});

test("shows the number of filled values in the current language", () => {
  useUsg.getState().readRow("28 2.1 11.3 2400 168", signs);
  expect([...shownTexts("fr"), ...shownTexts()]).toEqual(["5 valeurs reprises sur 5", "5 of 5 values filled in"]);
});

test("marks values with a written or selected unit", () => {
  const { readRow, setUnit, screen } = useUsg.getState();
  readRow("LYM 0.03 K/µL, Creatinine 140", signs);
  void screen(null, null);
  setUnit("CREATININE", 1);
  expect(useUsg.getState().entries.CREATININE.text).toBe("140");
  void screen(null, null);
  expect(asked).toMatchObject([
    { features: { "ABSOLUTE LYMPHOCYTES": 30, CREATININE: 140 }, statedUnits: ["ABSOLUTE LYMPHOCYTES"] },
    { features: { CREATININE: 1.5837104 }, statedUnits: ["CREATININE", "ABSOLUTE LYMPHOCYTES"] },
  ]);
});

test("sends scored values unrounded, from sliders and from a reopened form", () => {
  const { showEarlier, imagine, screen, setUnit, setEntry } = useUsg.getState();
  const earlier = screened("minka");
  showEarlier(earlier as never);
  imagine("BUN", 41);
  for (const unit of [1, 0] as const) setUnit("CREATININE", unit);
  expect(useUsg.getState().screening).toBe(earlier);
  void screen("minka", null);
  const shown = Object.values(useUsg.getState().entries).map(({ text, unit }) => [text, unit]);
  expect(shown).toEqual([
    ["41", 0],
    ["1.584", 0],
    ["11.3", 0],
    ["2346", 0],
    ["14", 1],
  ]);
  expect(asked).toMatchObject([{ features: earlier.values }, { features: earlier.values }]);
  setEntry("CREATININE", { text: "1.58", unit: 0 });
  void screen("minka", null);
  expect(asked.at(-1)).toMatchObject({ features: { ...earlier.values, CREATININE: 1.58 } });
});

test("shows no result of another value after a slider's request has failed", async () => {
  const { imagine } = useUsg.getState();
  useUsg.setState({ screening: screened("minka") as never });
  imagine("BUN", 90);
  answers[0]!.resolve({ ok: true, value: { result: "of 90" } });
  await expect.poll(() => useUsg.getState().whatIf?.answer).toEqual({ result: "of 90" });
  imagine("BUN", 20);
  answers[1]!.resolve({ ok: false, code: "STORE_UNAVAILABLE", message: "" });
  await expect.poll(() => useUsg.getState().fault).not.toBeNull();
  expect(useUsg.getState().whatIf).toMatchObject({ values: { BUN: 20 }, answer: null });
});

test("clears values screened without a cat when a cat is chosen", async () => {
  const { screen, turnTo } = useUsg.getState();
  const screening = screen(null, null);
  answers[0]!.resolve({ ok: true, value: screened(null) });
  await screening;
  turnTo("minka");
  expect([typed(), useUsg.getState().screening]).toEqual(["", null]);
});
