import { expect, test } from "vitest";
import { usePatients } from "../../../renderer/state/patients.ts";

test("counts the measured films that are told of, by patient", () => {
  const tell = (patient: string | null, isMeasured: boolean) =>
    usePatients.getState().noteFilm({
      patient: patient === null ? null : { id: patient },
      reading: isMeasured ? { readingId: "reading" } : null,
    } as never);
  tell("bella", true);
  tell("bella", false);
  tell(null, true);
  tell("minka", true);
  tell("bella", true);
  expect(usePatients.getState().measured).toEqual({ bella: 2, minka: 1 });
});
