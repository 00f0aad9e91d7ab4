import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { phantomFile, phantomFromJpeg, type PhantomFacts } from "../main/dicom/phantom-film.ts";
import { createPatient, openFilms, waitForFilms } from "./actions.ts";
import { ask, phantom } from "./program.ts";

/** Opens and measures films, the first one of Bella, a Cavalier with an owner and an identifier. */
export async function openBella(page: Page, films = 5): Promise<void> {
  const names = ["dog-01.jpg", "dog-02.jpg", "dog-03.jpg", "dog-04.jpg", "dog-05.jpg"].slice(0, films);
  const [first] = await openFilms(page, names.map(phantom));
  const bella = await createPatient(page, "Bella", {
    breed: "Cavalier King Charles Spaniel",
    owner: "M. Sommer",
    uuid: "bella-7",
  });
  await ask(page, "films.assignPatient", { filmIds: [first!.id], patientId: bella.id });
  await ask(page, "films.edit", { filmId: first!.id, takenAt: new Date(Date.UTC(2026, 1, 3, 12)).toISOString() });
}

const lunaStudy = {
  study: "1.2.276.77.1",
  patientId: "P-2041",
  patientName: "Aydın^Luna",
  responsiblePerson: "Aydın^Selin",
} as const;

/** Luna's films by their path on the CD: two laterals, and a VD and a DV, which are not measured automatically. */
const lunaFilms: Readonly<Record<string, readonly [film: string, facts: PhantomFacts]>> = {
  "IMG/I0001": ["dog-02.jpg", { ...lunaStudy, instance: "1.2.276.77.1.1", instanceNumber: 1 }],
  "IMG/I0002": ["dog-03.jpg", { ...lunaStudy, instance: "1.2.276.77.1.2", instanceNumber: 2, view: "RL" }],
  "IMG/I0003": ["dog-04.jpg", { ...lunaStudy, instance: "1.2.276.77.1.3", instanceNumber: 3, view: "VD" }],
  "IMG/I0004": [
    "dog-06.jpg",
    { ...lunaStudy, instance: "1.2.276.77.1.4", instanceNumber: 1, series: "1.2.276.77.1.9", view: "DV" },
  ],
};

export async function writeLuna(): Promise<{ readonly folder: string; readonly files: Record<string, Buffer> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-study-"));
  mkdirSync(path.join(folder, "IMG"));
  const files: Record<string, Buffer> = {};
  for (const [name, [film, facts]] of Object.entries(lunaFilms)) {
    files[name] = await phantomFromJpeg(phantom(film), facts);
    writeFileSync(path.join(folder, name), files[name]);
  }
  return { folder, files };
}

/** Writes a file of three frames, a VD of the cat Mio, to a new folder. */
export function writeMio(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-frames-"));
  const facts = { study: "1.2.276.77.2", instance: "1.2.276.77.2.1", patientId: "P-9", patientName: "Kern^Mio" };
  writeFileSync(path.join(folder, "LOOP"), phantomFile({ ...facts, species: "Feline", view: "VD", frames: 3 }));
  return folder;
}

export async function openLunaAndMio(page: Page): Promise<void> {
  const { folder } = await writeLuna();
  await page.getByTestId("folder").setInputFiles(folder);
  await waitForFilms(page, ["I0001", "I0002", "I0003", "I0004"]);
  await page.getByTestId("folder").setInputFiles(writeMio());
  await waitForFilms(page, ["LOOP"]);
}

const pack = { name: "landmarks-corvet", version: "2026.11.7" };
const pairs: DesktopResponse<"agreement.get">["pairs"] = Array.from({ length: 60 }, (_, index) => ({
  filmId: null,
  at: new Date(Date.UTC(2026, 9, 1 + index)).toISOString(),
  network: 9 + (index % 13) * 0.25 + (index < 30 ? 0 : 0.45) + Math.sin(index * 7) * 0.3,
  person: 9 + (index % 13) * 0.25,
  decision: index % 9 === 0 ? "by_hand" : "independent",
  tier: index % 3 === 0 ? "review" : "good",
  species: "dog",
  pack,
}));

/** Readings from whose second half on the networks measure 0.45 v more than before. */
export const drifted: DesktopResponse<"agreement.get"> = {
  pairs,
  packs: [pack],
  readers: ["Dr. Roth"],
  total: pairs.length,
};
