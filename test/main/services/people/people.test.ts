// Runs once: its queries run on PostgreSQL in test/main/store/people/people.test.ts.
import { randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  desktopChannels,
  findChannel,
  type DesktopChannel,
  type DesktopRequest,
} from "../../../../core/contract/desktop.ts";
import { permissionOf } from "../../../../core/contract/channel.ts";
import { roleHasPermission, roles, type Role } from "../../../../core/people/roles.ts";
import { createPerson } from "../../../../main/services/people/people.ts";
import { addPerson } from "../../../../main/store/people/people.ts";
import { listAuditEvents } from "../../../../main/store/audit/audit-events.ts";
import { commandLine } from "../../../../main/program.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { measured } from "../../store/sample-store.ts";
import { rawly, refuseRows } from "../../../fixtures/raw-store.ts";

const bench = useBench();

/** Contain characters that neither ids nor hashes contain, so that a search for them finds nothing by chance. */
const secrets: Readonly<Record<Role, string>> = {
  administrator: "rollo-2241",
  veterinarian: "weber-4711",
  assistant: "kim-0815",
};
const nameOf: Readonly<Record<Role, string>> = {
  administrator: "Dr Sommer",
  veterinarian: "Dr Weber",
  assistant: "Kim",
};

/** Hashes with low cost, since the program's take a tenth of a second to create and to verify. */
let hashes: Readonly<Record<Role, string>>;
beforeAll(async () => {
  const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  const ofRoles = roles.map(async (role) => [role, await hash(secrets[role], cheap)] as const);
  hashes = Object.fromEntries(await Promise.all(ofRoles)) as Record<Role, string>;
});

/** Adds a user of each role and turns sign-in on; the administrator is signed in in the window. */
async function turnOn(): Promise<Readonly<Record<Role, string>>> {
  const ids = Object.fromEntries(roles.map((role) => [role, randomUUID()])) as Record<Role, string>;
  for (const role of roles)
    await addPerson(
      bench.context.db,
      { id: ids[role], name: nameOf[role], role, secretHash: hashes[role] },
      bench.context.now(),
    );
  await bench.call("people.turnOn", { personId: ids.administrator, secret: secrets.administrator });
  return ids;
}

const asked = <C extends DesktopChannel>(channel: C, request: DesktopRequest<C>, session = "window") =>
  bench.desktop.call(channel, request, session);
const trail = async () => (await listAuditEvents(bench.context.db, { limit: 200, offset: 0 })).rows;

describe("a practice without sign-in", () => {
  it("has no sessions, allows everything and signs with the typed name", async () => {
    expect(await bench.call("session.get", {})).toMatchObject({ isOn: false, me: null, people: [] });
    await bench.call("settings.save", { userName: "Dr Muster" });
    await bench.call("keys.create", { accountName: "Clinic", name: "PIMS" });
    expect((await trail())[0]).toMatchObject({
      action: "key.created",
      via: "window",
      who: "Dr Muster",
      personId: null,
    });
  });

  it("returns the command for a forgotten PIN and its effect", async () => {
    const forgotten = async () => (await bench.call("people.list", {})).forgotten;
    expect(await forgotten()).toEqual({
      does: "newPin",
      command: commandLine("people pin NAME", bench.context.dataDir),
    });
    vi.stubGlobal("process", { ...process, versions: { ...process.versions, electron: "38.0.0" }, defaultApp: true });
    try {
      const command = `npm start -- --sign-in-off --data-dir="${bench.context.dataDir}"`;
      expect(await forgotten()).toEqual({ does: "signInOff", command });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("can turn sign-in on only with the correct PIN of an administrator", async () => {
    await bench.call("people.add", { name: "Kim", role: "assistant", secret: "0815" });
    const [kim] = (await bench.call("people.list", {})).people;
    expect(await asked("people.turnOn", { personId: kim!.id, secret: "0815" })).toMatchObject({
      code: "NOT_PERMITTED",
    });
    await bench.call("people.edit", { personId: kim!.id, name: "Kim", role: "administrator", isRetired: false });
    expect(await asked("people.turnOn", { personId: kim!.id, secret: "9999" })).toMatchObject({ code: "WRONG_SECRET" });
    expect((await bench.call("session.get", {})).isOn).toBe(false);
  });
});

describe("an empty name", () => {
  it("is rejected", () =>
    expect(
      createPerson(bench.context.db, { name: " ", role: "assistant", secret: "0815" }, bench.context.now()),
    ).rejects.toMatchObject({ code: "INVALID_FIELD" }));

  it("of an existing user is listed and can be changed", async () => {
    await bench.call("people.add", { name: "Kim", role: "assistant", secret: "0815" });
    await rawly(bench.context.db, "UPDATE people SET name = ''");
    const [unnamed] = (await bench.call("people.list", {})).people;
    expect(unnamed).toMatchObject({ name: "", role: "assistant" });
    const edited = { personId: unnamed!.id, name: "Kim", role: "assistant", isRetired: false } as const;
    await bench.call("people.edit", edited);
    expect((await bench.call("people.list", {})).people).toMatchObject([{ name: "Kim" }]);
  });
});

describe("permissions of a role", () => {
  it("increase from assistant to administrator, who has all", () => {
    const may = (role: Role) => desktopChannels.filter((channel) => isAllowed(role, channel));
    expect(may("assistant").filter((channel) => !may("veterinarian").includes(channel))).toEqual([]);
    expect(may("administrator")).toEqual([...desktopChannels]);
    expect(may("assistant")).not.toContain("readings.save");
  });

  it("are checked first on every channel", async () => {
    const ids = await turnOn();
    await asked("session.signIn", { personId: ids.assistant, secret: secrets.assistant }, "front-desk");
    for (const channel of desktopChannels) {
      // A browser without sign-in sends a request that does not match any schema.
      const stranger = await bench.desktop.call(channel, "anything", "elsewhere");
      expect([channel, stranger.ok ? "ok" : stranger.code]).toEqual([
        channel,
        findChannel(channel)!.permission === "enter" ? "INVALID_FIELD" : "LOCKED",
      ]);
      if (isAllowed("assistant", channel)) continue;
      const assistant = await bench.desktop.call(channel, sampleRequest(channel), "front-desk");
      expect([channel, assistant.ok ? "ok" : assistant.code]).toEqual([channel, "NOT_PERMITTED"]);
    }
  });

  it("are required for the practice's settings, but not for a user's own", async () => {
    const ids = await turnOn();
    await bench.call("session.signIn", { personId: ids.assistant, secret: secrets.assistant });
    expect(await asked("settings.save", { theme: "light", view: { a: 1 } })).toMatchObject({ ok: true });
    expect(await asked("settings.save", { theme: "dark", clinicName: "Mine" })).toMatchObject({
      code: "NOT_PERMITTED",
    });
  });
});

describe("signing in", () => {
  it("records the user who is replaced at the same page", async () => {
    const ids = await turnOn();
    for (const role of ["assistant", "veterinarian"] as const)
      await bench.call("session.signIn", { personId: ids[role], secret: secrets[role] });
    expect((await trail()).slice(0, 3).map(({ action, personId }) => [action, personId])).toEqual([
      ["session.signed_in", ids.veterinarian],
      ["session.locked", ids.assistant],
      ["session.signed_in", ids.assistant],
    ]);
    await bench.call("session.signIn", { personId: ids.administrator, secret: secrets.administrator });
    const { events } = await bench.call("audit.list", { limit: 4, offset: 0 });
    const { people } = await bench.call("session.get", {});
    const nameOf = (personId: string) => people.find(({ id }) => id === personId)?.name;
    expect(events.map(({ subjectName }) => subjectName)).toEqual(
      (["administrator", "veterinarian", "veterinarian", "assistant"] as const).map((role) => nameOf(ids[role])),
    );
  });

  it("is required for events, and ends when the user locks the page", async () => {
    const ids = await turnOn();
    const heard: string[] = [];
    const { pageSessions } = bench.desktop;
    const cookie = pageSessions.signIn(pageSessions.signInPath().slice("/#t=".length));
    const browser = pageSessions.sessionOf(cookie!)!;
    bench.desktop.subscribePage(browser, ({ name }) => void heard.push(name));
    await bench.addPatient();
    expect(heard).toEqual([]);
    await bench.call("session.lock", {});
    expect((await trail())[0]).toMatchObject({ action: "session.locked", detail: { isIdle: false } });
    // Delivery is asynchronous, since the store is queried for the permission first.
    await expect.poll(() => heard).toEqual(["session.changed"]);
    pageSessions.forget(browser);
    await bench.call("session.signIn", { personId: ids.administrator, secret: secrets.administrator });
    expect(heard).toEqual(["session.changed"]);
  });

  it("determines the signature, whatever the page sends", async () => {
    const ids = await turnOn();
    bench.engine.answers(measured);
    const film = await bench.openFilm("rex.png", await smallPicture(1));
    await bench.call("session.signIn", { personId: ids.veterinarian, secret: secrets.veterinarian });
    const saved = await bench.accept(film.id, "Dr Sommer");
    expect(saved.reading.who).toBe("Dr Weber");
    expect((await trail())[0]).toMatchObject({
      action: "reading.accepted",
      who: "Dr Weber",
      personId: ids.veterinarian,
      subject: film.id,
    });
    expect((await trail()).find(({ action }) => action === "reading.measured")).toMatchObject({
      via: "program",
      who: null,
    });
  });

  it("is delayed after three wrong PINs, also concurrent ones, and refusals are audited", async () => {
    const ids = await turnOn();
    const signIn = (secret: string) => asked("session.signIn", { personId: ids.veterinarian, secret }, "browser");
    const answers = await Promise.all(["1", "2", "3", "4", "5", "6"].map(signIn));
    expect(answers.map((answer) => (answer.ok ? "in" : answer.code)).sort()).toEqual([
      ...Array<string>(3).fill("TOO_SOON"),
      ...Array<string>(3).fill("WRONG_SECRET"),
    ]);
    expect(await signIn(secrets.veterinarian)).toMatchObject({ code: "TOO_SOON" });
    expect((await trail()).filter(({ action }) => action === "session.refused")).toHaveLength(3);
    bench.setNow(new Date(bench.context.now().getTime() + 60_000));
    expect(await signIn(secrets.veterinarian)).toMatchObject({ ok: true });
    expect(await signIn("7")).toMatchObject({ code: "WRONG_SECRET" });
  });

  it("ignores delays until a date that was set while the clock was ahead", async () => {
    const { veterinarian: personId } = await turnOn();
    const right = bench.context.now();
    const signIn = (secret: string) => asked("session.signIn", { personId, secret }, "browser");
    for (const tries of [1, 3]) {
      bench.setNow(new Date("2036-01-01T00:00:00Z"));
      for (let wrong = 0; wrong < tries; wrong += 1)
        expect(await signIn("9999")).toMatchObject({ code: "WRONG_SECRET" });
      bench.setNow(right);
      expect(await signIn(secrets.veterinarian)).toMatchObject({ ok: true });
    }
  });

  it("is required again after it was turned off or the user retired", async () => {
    const { administrator, veterinarian: personId } = await turnOn();
    const isIn = async () => (await bench.desktop.call("films.queue", {}, "room-2")).ok;
    const signIn = () => asked("session.signIn", { personId, secret: secrets.veterinarian }, "room-2");
    await signIn();
    await bench.call("people.turnOff", {});
    await bench.call("people.turnOn", { personId: administrator, secret: secrets.administrator });
    expect(await isIn()).toBe(false);
    await signIn();
    for (const isRetired of [true, false]) await bench.call("people.edit", { personId, isRetired });
    expect(await isIn()).toBe(false);
    await signIn();
    expect(await isIn()).toBe(true);
  });

  it("is audited once when turned on or off repeatedly", async () => {
    const { administrator: personId } = await turnOn();
    await bench.call("people.turnOn", { personId, secret: secrets.administrator });
    for (let time = 0; time < 2; time += 1) await bench.call("people.turnOff", {});
    const turns = (await trail()).map(({ action }) => action).filter((action) => action.startsWith("people."));
    expect(turns).toEqual(["people.turned_off", "people.turned_on"]);
  });

  it("ends after a change of the PIN on another page, also after a failed change", async () => {
    const { administrator: personId } = await turnOn();
    const refused = { message: "full", condition: "NEW.action = 'person.secret_changed'" };
    const allowAgain = await refuseRows(bench.context.db, "audit_events", refused);
    const own = { oldSecret: secrets.administrator, secret: "another-1" };
    expect((await asked("people.setOwnSecret", own)).ok).toBe(false);
    await allowAgain();
    await asked("session.signIn", { personId, secret: secrets.administrator }, "room-2");
    await asked("people.setSecret", { personId, secret: "another-2" }, "room-2");
    expect(await asked("films.queue", {})).toMatchObject({ code: "LOCKED" });
  });

  it("ends after the idle time, on retirement and after a change of the PIN", async () => {
    const ids = await turnOn();
    const person = { personId: ids.veterinarian, secret: secrets.veterinarian };
    await bench.desktop.call("session.signIn", person, "room-2");
    const isIn = async () => (await bench.desktop.call("films.queue", {}, "room-2")).ok;
    expect(await isIn()).toBe(true);
    bench.setNow(new Date(bench.context.now().getTime() + 9 * 60_000));
    await bench.desktop.call("session.touch", {}, "room-2");
    await bench.call("session.touch", {});
    bench.setNow(new Date(bench.context.now().getTime() + 9 * 60_000));
    expect(await isIn()).toBe(true);
    bench.setNow(new Date(bench.context.now().getTime() + 2 * 60_000));
    expect(await isIn()).toBe(false);
    expect((await trail())[0]).toMatchObject({ action: "session.locked", who: "Dr Weber", detail: { isIdle: true } });

    await bench.call("session.signIn", { personId: ids.administrator, secret: secrets.administrator });
    await bench.desktop.call("session.signIn", person, "room-2");
    await bench.call("people.setSecret", { personId: ids.veterinarian, secret: "another" });
    expect(await isIn()).toBe(false);
    await bench.desktop.call("session.signIn", { ...person, secret: "another" }, "room-2");
    await bench.call("people.edit", { personId: ids.veterinarian, isRetired: true });
    expect(await isIn()).toBe(false);
    expect(await asked("session.signIn", { ...person, secret: "another" })).toMatchObject({ code: "WRONG_SECRET" });
  });
});

describe("users", () => {
  it("are stored without their secrets", async () => {
    await turnOn();
    await bench.call("people.add", { name: "Robin", role: "assistant", secret: "2468-robin" });
    const rows = JSON.stringify(await rawly(bench.context.db, "SELECT * FROM people"));
    expect(rows).toContain("$argon2id$v=19$m=65536,t=3,p=1$");
    const audit = JSON.stringify(await trail());
    expect(audit).not.toContain("argon2");
    for (const secret of [...Object.values(secrets), "2468-robin"]) expect(rows + audit).not.toContain(secret);
  });
});

describe("the audit trail", () => {
  it("records actions with their users, but without names of patients", async () => {
    await turnOn();
    const rex = await bench.addPatient({ name: "Rexilein", owner: "Frau Besitzer" });
    await bench.call("patients.edit", { patientId: rex.id, breed: "Boxer" });
    await bench.call("settings.save", { clinicName: "Sommer clinic", view: { zoom: 2 } });
    await bench.call("settings.save", { view: { zoom: 3 } });
    const { keyId } = await bench.call("keys.create", { accountName: "Clinic", name: "PIMS" });
    await bench.call("keys.revoke", { keyId });
    const { events } = await bench.call("audit.list", {});
    expect(events.slice(0, 6).map(({ action, who, detail }) => [action, who, detail["changed"]])).toEqual([
      ["key.revoked", "Dr Sommer", undefined],
      ["key.created", "Dr Sommer", undefined],
      ["account.created", "Dr Sommer", undefined],
      ["settings.changed", "Dr Sommer", "clinicName"],
      ["patient.edited", "Dr Sommer", "breed"],
      ["patient.created", "Dr Sommer", undefined],
    ]);
    expect(events[4]).toMatchObject({ patientId: rex.id, patientName: "Rexilein" });
    const csv = await bench.call("audit.csv", { patientId: rex.id });
    expect(csv.text.trimEnd().split("\r\n")).toHaveLength(3);
    expect(JSON.stringify(await trail())).not.toMatch(/Rexilein|Besitzer/);
  });
});

function isAllowed(role: Role, channel: DesktopChannel): boolean {
  const permission = permissionOf(findChannel(channel)!, sampleRequest(channel));
  return permission === "enter" || roleHasPermission(role, permission);
}

/** Returns a request that determines the channel's permission; for restricted channels it matches the schema. */
function sampleRequest(channel: DesktopChannel): object {
  const id = "x";
  const destination = { isOn: false, host: "", port: 2575, application: "", facility: "" };
  const hl7 = { ...destination, results: "decided", tls: null } as const;
  const database = { host: "x", port: 5432, database: "x", user: "", password: "", authorityFile: "" };
  const samples: { readonly [C in DesktopChannel]?: DesktopRequest<C> } = {
    "readings.save": { filmId: id, basedOn: null, verdict: "accepted", geometry: null },
    "readings.undo": { filmId: id, readingId: id },
    "films.remove": { filmIds: [id] },
    "films.sayOpen": { filmId: null },
    "patients.export": { patientId: id, language: "en" },
    "patients.holdings": { patientId: id },
    "patients.erase": { patientId: id, why: "x" },
    "publishers.add": { name: "x", key: "x" },
    "publishers.remove": { fingerprint: "x" },
    "folders.save": { folders: [], outbox: null, formats: [] },
    "ranges.save": {
      id: null,
      range: { species: "dog", breed: "", measure: "vhs", low: 9, high: 10, source: "x" },
    },
    "ranges.remove": { id },
    "received.delete": { objectIds: [id] },
    "settings.save": { clinicName: "x" },
    "ledger.usage": { month: "2026-11" },
    "keys.create": { accountName: "x", name: "x" },
    "keys.rename": { keyId: id, name: "x" },
    "keys.revoke": { keyId: id },
    "dicom.saveNode": { nodeId: null, name: "x", host: "x", port: 104, aeTitle: "X" },
    "dicom.deleteNode": { nodeId: id },
    "dicom.testNode": { nodeId: id },
    "dicom.saveCertificate": { pem: null },
    "server.configure": { hostNames: [], isPlainHttpAllowed: false },
    "packs.activate": { name: "x" },
    "backups.savePlan": { folder: null, withFilms: false, isEncrypted: false },
    "backups.check": { name: "x" },
    "backups.make": { backupId: "00000000-0000-4000-8000-000000000000" },
    "backups.cancel": { backupId: "00000000-0000-4000-8000-000000000000" },
    "backups.restore": { name: "x" },
    "encryption.plan": { isWanted: true },
    "database.test": { testId: "00000000-0000-4000-8000-000000000000", address: database },
    "database.choose": { address: null },
    "app.saveLogIn": { startsAtLogIn: true },
    "updates.configure": { isAutomatic: true, mirror: "" },
    "updates.install": { isUnsaved: true },
    "hl7.save": hl7,
    "hl7.test": hl7,
    "session.forgetBrowser": { isEveryOne: true },
    "people.add": { name: "x", role: "assistant", secret: "1234" },
    "people.edit": { personId: id, name: "x", role: "assistant", isRetired: false },
    "people.setSecret": { personId: id, secret: "1234" },
    "people.turnOn": { personId: id, secret: "1234" },
    "people.configure": { lockAfterMinutes: 5 },
  };
  return samples[channel] ?? {};
}
