// Runs once: opens PostgreSQL or both engines directly.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Film } from "../../../../../core/contract/desktop/films.ts";
import { editPatient } from "../../../../../main/services/worklist/patients/patients.ts";
import type { DesktopBench } from "../../../../fixtures/desktop-bench.ts";
import { openDraftsBench, type DraftsBench } from "../../../../fixtures/drafts-bench.ts";
import { phantomFile, type PhantomFacts } from "../../../dicom/phantom-film.ts";
import { measured } from "../../../store/sample-store.ts";

/** Nobody has said in the practice what animal it is, and its database is away. */
let opened: DraftsBench;
let bench: DesktopBench;
beforeEach(async () => {
  opened = await openDraftsBench();
  ({ bench } = opened);
  bench.engine.answers(measured);
});
afterEach(() => opened.remove());

const films = async (): Promise<readonly Film[]> => (await bench.call("films.list", {})).films;
const receive = async (facts: PhantomFacts) => {
  const name = `${facts.instance}.dcm`;
  await bench.addFile(name, phantomFile(facts));
  await bench.desktop.parts.queue.whenIdle();
  return (await films()).find(({ fileName }) => fileName === name)!;
};
const speciesByName = async () =>
  Object.fromEntries(
    (await bench.call("patients.list", { search: "" })).patients.map(({ name, species }) => [name, species]),
  );
const luna = { name: "Luna", breed: "", owner: "Roth", uuid: "L-1" } as const;
const giveToLuna = (film: Film, patientId: string) =>
  bench.call("films.assignPatient", { filmIds: [film.id], patientId });

describe("a species that a film names while the practice's database is away", () => {
  it("moves no film that a person has given to somebody else", async () => {
    const film = await receive({ instance: "1.2.3.1", species: null });
    await giveToLuna(film, (await bench.call("patients.create", { ...luna, species: "dog" })).id);
    // The trail goes by the real clock.
    bench.setNow(new Date(Date.now() + 60_000));
    await opened.goAway();
    await receive({ instance: "1.2.3.1", species: null });
    await receive({ instance: "1.2.3.3", species: "Canine", grey: 60 });
    await opened.comeBack();
    expect((await films()).find(({ fileName }) => fileName === "1.2.3.1.dcm")?.patient?.name).toBe("Luna");
  });

  it("is learned in the practice, unless somebody says another there meanwhile", async () => {
    const { patient } = await receive({ instance: "1.2.3.1", species: null });
    await opened.goAway();
    await receive({ instance: "1.2.3.2", species: null, grey: 50 });
    await receive({ instance: "1.2.3.3", species: "Canine", grey: 60 });
    // At another workstation that reaches the database.
    const practice = { ...bench.desktop.context, db: bench.context.db };
    await editPatient(practice, patient!.id, { species: "cat" });
    await opened.comeBack();
    expect(await speciesByName()).toEqual({ Bella: "cat" });
  });

  it("is that of the practice's patient afterwards", async () => {
    await receive({ instance: "1.2.3.1", species: null });
    await opened.goAway();
    await receive({ instance: "1.2.3.3", species: "Canine", grey: 60 });
    await opened.comeBack();
    expect(await speciesByName()).toEqual({ Bella: "dog" });
  });
});

describe("a species that a person says while the practice's database is away", () => {
  it("is that of the practice's patient of the same number, where nobody has said it there", async () => {
    await bench.call("patients.create", { ...luna, species: null });
    await opened.goAway();
    const film = await receive({ instance: "1.2.3.1", species: null });
    await giveToLuna(film, (await bench.call("patients.create", { ...luna, species: "cat" })).id);
    await opened.comeBack();
    expect(await speciesByName()).toMatchObject({ Luna: "cat" });
  });
});
