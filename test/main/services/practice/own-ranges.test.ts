// Runs once: its only table, settings, is read and written by most tests of services on PostgreSQL.
import { describe, expect, it } from "vitest";
import { useBench } from "../../../fixtures/use-bench.ts";
import { measured } from "../../store/sample-store.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { readFilmOfResults } from "../../../../main/services/results/film-of-results.ts";
import { measurementGroup } from "../../../../main/dicom/results/measurement-group.ts";

const bench = useBench();

const cavalier = {
  species: "dog",
  breed: "Cavalier",
  measure: "vhs",
  low: 9,
  high: 10.9,
  source: "Sommer et al., 40 healthy dogs",
} as const;
const add = (range: Partial<Omit<typeof cavalier, "low" | "high" | "source">> & object = {}) =>
  bench.call("ranges.save", { id: null, range: { ...cavalier, ...range } });

describe("own reference ranges", () => {
  it("are stored with user and time, changed and removed, and each change is published", async () => {
    await bench.call("settings.save", { userName: "Dr Sommer" });
    const [range] = (await add()).ranges;
    expect(range).toMatchObject({ ...cavalier, enteredBy: "Dr Sommer" });
    expect(Date.parse(range!.enteredAt)).toBeGreaterThan(Date.UTC(2026, 10, 21, 9));
    const { ranges } = await bench.call("ranges.save", { id: range!.id, range: { ...cavalier, high: 11 } });
    expect(ranges).toMatchObject([{ id: range!.id, high: 11 }]);
    expect(await bench.call("ranges.list", {})).toEqual({ ranges });
    expect(await bench.call("ranges.remove", { id: range!.id })).toEqual({ ranges: [] });
    expect(bench.eventsOf("ranges.changed").map((payload) => payload.ranges.length)).toEqual([1, 1, 0]);
  });

  it("are rejected with the invalid field, and not stored", async () => {
    await add();
    const answerTo = async (range: object) =>
      bench.desktop.call("ranges.save", { id: null, range: { ...cavalier, breed: "Pug", ...range } }, "");
    for (const [range, name] of [
      [{ high: 40 }, "rangeHigh"],
      [{ breed: "CKCS" }, "rangeThere"],
    ] as const)
      expect(await answerTo(range)).toMatchObject({ ok: false, code: "INVALID_FIELD", reason: { name } });
    await expect(bench.call("ranges.remove", { id: "gone" })).rejects.toThrow("NOT_FOUND");
    expect((await bench.call("ranges.list", {})).ranges).toHaveLength(1);
  });

  it("are audited on each change with the limits before and after", async () => {
    const [range] = (await add()).ranges;
    await bench.call("ranges.save", { id: range!.id, range: { ...cavalier, high: 11 } });
    await bench.call("ranges.remove", { id: range!.id });
    const { events } = await bench.call("audit.list", {});
    const before = "vhs dog Cavalier 9–10.9 v (Sommer et al., 40 healthy dogs)";
    const after = "vhs dog Cavalier 9–11 v (Sommer et al., 40 healthy dogs)";
    expect(events.slice(0, 3).map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ["settings.changed", "referenceRanges", { was: after, now: null }],
      ["settings.changed", "referenceRanges", { was: before, now: after }],
      ["settings.changed", "referenceRanges", { was: null, now: before }],
    ]);
  });

  it("are included in the structured report as the clinic's own, with their source", async () => {
    bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
    const film = await bench.openFilm("rex.dcm", phantomFile({ instance: "1.2.3.4", patientId: "P-1" }));
    await bench.addPatient({ breed: "Cavalier" }, film.id);
    await add();
    const { subject } = await readFilmOfResults(bench.desktop.context, film.id);
    const place = { sopClassUid: "1.2", sopInstanceUid: "1.3", seriesInstanceUid: "1.4", frameNumber: null };
    const group = measurementGroup(subject.readings[0]!, {
      ...subject,
      film: { ...place, size: { widthPx: 96, heightPx: 80 }, pixelAspect: 1, said: null },
    });
    const text = JSON.stringify(group);
    expect(text).toContain("9 to 10.9 vertebrae (Cavalier; clinic limits)");
    expect(text).toContain(cavalier.source);
  });
});
