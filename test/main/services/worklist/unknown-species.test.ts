import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addFilmToWorklist } from "../../../../main/services/worklist/films.ts";
import { saveToldPatient } from "../../../../main/services/worklist/orders/told-patient.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";

/** Nobody has said what animal it is. */
let bench: DesktopBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

const mimi = { name: "Mimi", breed: "", owner: "Roth" };
const tellOf = (species: "dog" | "cat" | null) =>
  saveToldPatient(bench.desktop.context, { number: "P-1", ...mimi, species });
const speciesOf = async (patientId: string) => (await bench.call("patients.get", { patientId })).species;
async function ownerOf(facts: PhantomFacts) {
  const bytes = phantomFile({ patientId: "P-9", patientName: "Roth^Mimi", ...facts });
  const { film } = await addFilmToWorklist(bench.desktop.context, { name: "film.dcm", bytes, origin: "file" });
  return film.patient!;
}

describe("a patient whose species nobody has said", () => {
  it("is no dog, until practice software says what it is; later silence changes nothing", async () => {
    const id = await tellOf(null);
    expect(await speciesOf(id)).toBeNull();
    expect(await tellOf("cat")).toBe(id);
    expect(await speciesOf(id)).toBe("cat");
    await tellOf(null);
    expect(await speciesOf(id)).toBe("cat");
  });

  it("gets the species that a film names, and keeps what was said before", async () => {
    const patient = await ownerOf({ instance: "1.1", species: null });
    expect(patient.species).toBeNull();
    expect(await ownerOf({ instance: "1.2", species: "Feline", grey: 60 })).toMatchObject({
      id: patient.id,
      species: "cat",
    });
    expect((await ownerOf({ instance: "1.3", species: "Canine", grey: 90 })).species).toBe("cat");
  });

  it("gets it from a film of the number that the practice told of", async () => {
    const id = await saveToldPatient(
      bench.desktop.context,
      { number: "P-9", ...mimi, species: null },
      { issuer: "Praxis am See" },
    );
    expect(await ownerOf({ instance: "1.1", species: "Feline" })).toMatchObject({ id, species: "cat" });
  });

  it("is the patient that a film made, whatever animal the film names", async () => {
    const ofFilm = await ownerOf({ instance: "1.1", species: "Feline" });
    const id = await saveToldPatient(bench.desktop.context, { number: "P-9", ...mimi, species: null });
    expect(id).not.toBe(ofFilm.id);
    expect((await bench.call("patients.list", {})).patients).toMatchObject([{ id, species: "cat" }]);
  });

  it("can be merged with one of either species and takes that over; parted again, it is unknown", async () => {
    const kept = await bench.call("patients.create", { ...mimi, species: null, uuid: null });
    const gone = await bench.call("patients.create", { ...mimi, species: "cat", uuid: null });
    const { undoId } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
    expect(await speciesOf(kept.id)).toBe("cat");
    await bench.call("patients.unmerge", { undoId });
    expect([await speciesOf(kept.id), await speciesOf(gone.id)]).toEqual([null, "cat"]);
    await bench.call("patients.merge", { keptId: gone.id, goneId: kept.id });
    expect(await speciesOf(gone.id)).toBe("cat");
  });

  it("is said by a person, which the audit trail names", async () => {
    const { id } = await bench.call("patients.create", { ...mimi, species: null, uuid: null });
    await bench.call("patients.edit", { patientId: id, species: "dog" });
    expect(await speciesOf(id)).toBe("dog");
    const [newest] = (await bench.call("audit.list", {})).events;
    expect(newest).toMatchObject({ action: "patient.edited", detail: { changed: "species" } });
  });
});
