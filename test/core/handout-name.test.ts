import fc from "fast-check";
import { expect, it } from "vitest";
import { handoutName } from "../../core/handout-name.ts";

const takenAt = new Date(2026, 10, 21, 9);
const named = (owner: string, name: string) => handoutName({ patient: { name, owner }, takenAt, filmName: "IMG_0001" });

it("names a handout by owner, animal, day and measure, in portable characters", () => {
  expect([
    named("Müller", "Bella"),
    named("Familie Groß", "Jürgen der Große"),
    named("Ángela Núñez", "Œdipe"),
    named("M. Øster-Bøgh", "Ärmel"),
    named("von Arx, Jürg", "Bella"),
    named("", "Rex"),
    named("Stone", ""),
    named("山田", "ポチ"),
  ]).toEqual([
    "Mueller_Bella_2026-11-21_VHS.pdf",
    "Gross_Juergen-der-Grosse_2026-11-21_VHS.pdf",
    "Nunez_Oedipe_2026-11-21_VHS.pdf",
    "Oester-Boegh_Aermel_2026-11-21_VHS.pdf",
    "von-Arx_Bella_2026-11-21_VHS.pdf",
    "Rex_2026-11-21_VHS.pdf",
    "Stone_2026-11-21_VHS.pdf",
    "山田_ポチ_2026-11-21_VHS.pdf",
  ]);
});

it("uses the film's name without owner and animal", () => {
  expect([named(" ", "…"), handoutName({ patient: null, takenAt, filmName: "IMG_0001" })]).toEqual([
    "IMG_0001.pdf",
    "IMG_0001.pdf",
  ]);
});

it("never contains path separators", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (owner, name) => {
      const file = named(owner, name);
      expect(file).toMatch(/^[^/\\:*?"<>|]+\.pdf$/);
      expect(file.startsWith(".")).toBe(false);
    }),
  );
});
