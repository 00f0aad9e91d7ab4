import { describe, expect, it } from "vitest";
import { recordBillableMeasurement } from "./record-billable-measurement.ts";
import { ensureAccount } from "../../../main/store/people/accounts.ts";
import { savePatient } from "../../../main/store/films/patients.ts";
import { listTrend } from "../../../main/store/films/trend/trend.ts";
import { listLedgerEvents } from "../../../main/store/ledger/ledger-reports.ts";
import { appendCharge } from "../../../main/store/ledger/ledger.ts";
import { getHistory } from "../../../main/store/calls/measurements.ts";
import { measured } from "./sample-store.ts";
import { useStore } from "../../fixtures/use-store.ts";

const composed = "Zoë 1";
const decomposed = "Zoe\u0308 1";
/** A measured film with a distinct image, since a repeated image counts as the same film. */
const film = (number: number) => ({
  ...measured,
  provenance: { ...measured.provenance, imageSha256: String(number).repeat(64) },
});
const at = new Date("2026-11-10T09:00:00Z");

describe("an identifier in two Unicode forms", () => {
  const store = useStore();

  it("identifies one patient, with one history and recheck grace, and is stored as sent", async () => {
    const accountId = (await ensureAccount(store.db, { name: "Clinic", at })).id;
    const bill = async (uuid: string, minutes: number) => {
      const call = { accountId, uuid, at: new Date(at.getTime() + minutes * 60_000), measurements: [film(minutes)] };
      return (await recordBillableMeasurement(store.db, call)).reason;
    };
    expect([await bill(decomposed, 0), await bill(composed, 1)]).toEqual(["valid_vhs", "recheck_24h"]);
    expect((await getHistory(store.db, { accountId, uuid: composed })).historicVhs).toHaveLength(2);
    expect(await listTrend(store.db, { id: "nobody", uuid: decomposed })).toHaveLength(2);
    expect((await listLedgerEvents(store.db)).map(({ uuid }) => uuid)).toEqual([decomposed]);
  });

  it("identifies one account and one patient of the practice", async () => {
    const first = await ensureAccount(store.db, { name: `Praxis ${decomposed}`, at });
    expect(await ensureAccount(store.db, { name: `praxis ${composed}`, at })).toEqual(first);
    const patient = { name: "", species: "dog", breed: "", owner: "", createdAtMs: 0, lastSeenAtMs: 0 } as const;
    await savePatient(store.db, { ...patient, id: "1", uuid: decomposed });
    await savePatient(store.db, { ...patient, id: "1", uuid: decomposed });
    await expect(savePatient(store.db, { ...patient, id: "2", uuid: composed })).rejects.toThrow(
      expect.objectContaining({ code: "CONFLICT" }),
    );
  });

  it("is refused by the ledger if it contains an unpaired surrogate", async () => {
    const accountId = (await ensureAccount(store.db, { name: "Clinic", at })).id;
    const charge = { callId: "1", accountId, keyId: null, service: "usg", callType: "single", at } as const;
    const agreements = { enterprise: null, usgCents: null };
    await expect(
      appendCharge(store.db, { ...charge, uuid: "rex \ud83d", measurementId: null, agreements }),
    ).rejects.toThrow(expect.objectContaining({ code: "INVALID_FIELD", message: expect.stringContaining("uuid") }));
  });
});
