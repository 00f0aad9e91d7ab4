// Runs once: its queries are tested elsewhere.
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { Order } from "../../../../../core/contract/desktop/network/orders.ts";
import { addFilmToWorklist } from "../../../../../main/services/worklist/films.ts";
import { patientOfOrder, savePracticePatient } from "../../../../../main/services/worklist/orders/practice-patient.ts";
import { learnSpecies } from "../../../../../main/services/worklist/patients/learn-species.ts";
import { transaction } from "../../../../../main/store/engines/engine.ts";
import { findIdentity, readPatientRecord } from "../../../../../main/store/privacy/patient-record.ts";
import { useBenchOfFile } from "../../../../fixtures/use-bench.ts";
import { phantomFile, type PhantomFacts } from "../../../dicom/phantom-film.ts";

const bench = useBenchOfFile();
let tests = 0;
let films = 0;
beforeEach(() => void (tests += 1));

const ownNumber = () => `P-${tests}`;
const mimi = { name: "Mimi", breed: "", owner: "Roth" };
const tellOf = (species: "dog" | "cat" | null) =>
  savePracticePatient(bench.desktop.context, { number: ownNumber(), ...mimi, species });
const speciesOf = async (patientId: string) => (await bench.call("patients.get", { patientId })).species;
async function addFilm(facts: Pick<PhantomFacts, "species" | "patientId">) {
  films += 1;
  const picture = { instance: `1.2.3.${films}` + films };
  const bytes = phantomFile({ patientId: ownNumber(), patientName: "Roth^Mimi", ...picture, ...facts });
  return (await addFilmToWorklist(bench.desktop.context, { name: "film.dcm", bytes, origin: "file" })).film;
}
const ownerOf = async (facts: Parameters<typeof addFilm>[0]) => (await addFilm(facts)).patient!;

describe("a patient of unknown species", () => {
  it("has no species until practice software sends one, and keeps it on a later message without one", async () => {
    const id = await tellOf(null);
    expect(await speciesOf(id)).toBeNull();
    expect(await tellOf("cat")).toBe(id);
    expect(await speciesOf(id)).toBe("cat");
    await tellOf(null);
    expect(await speciesOf(id)).toBe("cat");
  });

  it("gets the species of a film, and keeps it when a later film has another", async () => {
    const patient = await ownerOf({ species: null });
    expect(patient.species).toBeNull();
    expect(await ownerOf({ species: "Feline" })).toMatchObject({
      id: patient.id,
      species: "cat",
    });
    expect((await ownerOf({ species: "Canine" })).species).toBe("cat");
  });

  it("gets the species from a film with the practice's number", async () => {
    const id = await savePracticePatient(
      bench.desktop.context,
      { number: ownNumber(), ...mimi, species: null },
      { issuer: "Praxis am See" },
    );
    expect(await ownerOf({ species: "Feline" })).toMatchObject({ id, species: "cat" });
  });

  it("is merged with the patient created from a film, whichever species the film states", async () => {
    const ofFilm = await ownerOf({ species: "Feline" });
    const id = await savePracticePatient(bench.desktop.context, { number: ownNumber(), ...mimi, species: null });
    expect(id).not.toBe(ofFilm.id);
    expect((await bench.call("patients.list", { search: ownNumber() })).patients).toMatchObject([
      { id, species: "cat" },
    ]);
  });

  it("takes over the species of the patient it is merged with until the merge is undone", async () => {
    const kept = await bench.addPatient({ species: null });
    const gone = await bench.addPatient({ species: "cat" });
    const { undoId } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
    expect(await speciesOf(kept.id)).toBe("cat");
    await bench.call("patients.unmerge", { undoId });
    expect([await speciesOf(kept.id), await speciesOf(gone.id)]).toEqual([null, "cat"]);
    await bench.call("patients.merge", { keptId: gone.id, goneId: kept.id });
    expect(await speciesOf(gone.id)).toBe("cat");
  });

  it("gets the species from an order for the patient number of its films", async () => {
    const { id } = await ownerOf({ species: null });
    const named = {
      number: ownNumber(),
      issuer: "Praxis am See",
      fullName: "Roth^Mimi",
      ...mimi,
      species: "cat",
    } as const;
    const order = { patient: { ...named, sex: null, isNeutered: null, birthDate: null } } as Order;
    expect(await patientOfOrder(bench.desktop.context, order)).toBe(id);
    expect(await speciesOf(id)).toBe("cat");
  });

  it("gets the species from an assigned film, and publishes events for its other films", async () => {
    const { id } = await bench.addPatient({ species: null });
    const ofNobody = await addFilm({ species: null, patientId: null });
    await bench.call("films.assignPatient", { filmIds: [ofNobody.id], patientId: id });
    expect(await speciesOf(id)).toBeNull();
    const cats = await addFilm({ species: "Feline", patientId: null });
    await bench.call("films.assignPatient", { filmIds: [cats.id], patientId: id });
    expect(await speciesOf(id)).toBe("cat");
    const told = bench.eventsOf("film.changed").filter(({ film }) => film.id === ofNobody.id);
    expect(told.at(-1)?.film.patient?.species).toBe("cat");
  });

  it("loses the species when its film is unassigned, unless another film or a user states it", async () => {
    const { id } = await bench.addPatient({ species: null });
    const dogs = await addFilm({ species: "Canine", patientId: null });
    const assign = (patientId: string | null) => bench.call("films.assignPatient", { filmIds: [dogs.id], patientId });
    await assign(id);
    expect(await speciesOf(id)).toBe("dog");
    await assign(null);
    expect(await speciesOf(id)).toBeNull();
    const other = await addFilm({ species: "Canine", patientId: null });
    await assign(id);
    await bench.call("films.assignPatient", { filmIds: [other.id], patientId: id });
    await assign(null);
    expect(await speciesOf(id)).toBe("dog");
    await bench.call("patients.edit", { patientId: id, species: "cat" });
    await assign(id);
    await assign(null);
    expect(await speciesOf(id)).toBe("cat");
  });

  it("stays unknown if a user chose so, also when a film with a species is assigned again", async () => {
    const cat = await addFilm({ species: "Feline" });
    await bench.call("patients.edit", { patientId: cat.patient!.id, species: null });
    await bench.call("films.assignPatient", { filmIds: [cat.id], patientId: cat.patient!.id });
    expect(await speciesOf(cat.patient!.id)).toBeNull();
  });

  it("gets the user's choice over a concurrent film or message", async () => {
    const { context } = bench.desktop;
    const id = await tellOf(null);
    const held = Promise.withResolvers<boolean>();
    const writing = transaction(context.db, () => held.promise);
    const acts = [
      bench.call("patients.edit", { patientId: id, species: "cat" }),
      transaction(context.db, () => learnSpecies(context.db, { patientId: id, species: "dog" })),
      tellOf(null),
    ];
    await setImmediate();
    held.resolve(true);
    await Promise.all([writing, ...acts]);
    expect(await speciesOf(id)).toBe("cat");
  });

  it("does not fail if the patient was erased concurrently", async () => {
    const [kept, gone] = [await tellOf(null), "no patient"];
    await learnSpecies(bench.desktop.context.db, { patientId: gone, species: "dog" });
    expect(await speciesOf(kept)).toBeNull();
  });

  it("is exported as null", async () => {
    const { id } = await bench.addPatient({ name: "Mimi", species: null });
    const record = await readPatientRecord(bench.desktop.context.db, await findIdentity(bench.desktop.context.db, id));
    expect(record.patient).toMatchObject([{ name: "Mimi", species: null }]);
  });

  it("gets the species set by a user, with an audit event", async () => {
    const { id } = await bench.addPatient({ species: null });
    await bench.call("patients.edit", { patientId: id, species: "dog" });
    expect(await speciesOf(id)).toBe("dog");
    const [newest] = (await bench.call("audit.list", {})).events;
    expect(newest).toMatchObject({ action: "patient.edited", detail: { changed: "species" } });
  });
});
