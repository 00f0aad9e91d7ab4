// Runs once: its queries are tested elsewhere.
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { namedByArguments } from "../../../../main/services/import/named-by-arguments.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const root = folderForEach();
const bench = useBench();
const inbox = () => path.join(root(), "in");
const openings = () => bench.desktop.parts.openings;
const take = async () => (await bench.call("opening.claim", {})).opening;
const link = (name: string, value: string) => `corvet://open?${name}=${encodeURIComponent(value)}`;

beforeEach(async () => {
  mkdirSync(inbox());
  bench.engine.answers(measured);
  const folders = { folders: [{ path: inbox(), afterwards: "leave" as const }], outbox: null, formats: [] };
  await bench.call("folders.save", folders);
});

describe("a link", () => {
  test("opens a patient by number, uuid, Corvet's own id and microchip with any spacing", async () => {
    const { id } = await bench.addPatient({ uuid: "P-4711", microchip: "276 098 106 123 456" });
    await bench.addPatient({ name: "Luna", uuid: "P-47112", microchip: "276098106123457" });
    for (const asked of [
      link("number", "P-4711"),
      link("uuid", "P-4711"),
      link("uuid", id),
      link("dicom", "P-4711"),
      link("microchip", "276098106123456"),
    ]) {
      expect(await openings().openLink(asked)).toBeNull();
      expect(await take()).toEqual({ kind: "patient", patientId: id });
    }
    expect(await take()).toBeNull();
    expect(bench.eventsOf("opening.asked")).toHaveLength(5);
  });

  test("opens a patient by the Patient ID of its film, with or without issuer, and a film by its UID", async () => {
    const film = await bench.addFile("a.dcm", phantomFile({ instance: "1.2.3.4", patientId: "D-9" }));
    for (const asked of [
      link("dicom", "D-9"),
      link("number", "D-9"),
      `${link("dicom", "D-9")}&issuer=Praxis%20am%20See`,
    ]) {
      await openings().openLink(asked);
      expect(await take()).toEqual({ kind: "patient", patientId: film.patient!.id });
    }
    await openings().openLink(`${link("dicom", "D-9")}&issuer=OTHER`);
    await expect(take()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await openings().openLink(link("instance", "1.2.3.4"));
    expect(await take()).toEqual({ kind: "film", filmId: film.id });
  });

  test("opens a search if two patients match, only for the newest pending link, and reports a fault once", async () => {
    for (const name of ["Bella", "Luna"]) await bench.addPatient({ name, microchip: "1234567" });
    await openings().openLink(link("number", "nothing"));
    await openings().openLink(link("microchip", "1234567"));
    expect(await take()).toEqual({ kind: "patients", search: "1234567" });
    expect(await openings().openLink(link("number", "nothing"))).toMatchObject({
      code: "NOT_FOUND",
      message: "Corvet found nothing for nothing",
    });
    await expect(take()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await take()).toBeNull();
  });
});

describe("a link to a file", () => {
  test("opens and shows a film only after the user has agreed", async () => {
    const file = path.join(inbox(), "bella.png");
    writeFileSync(file, await smallPicture(1));
    await openings().openLink(link("file", file));
    const offered = await take();
    expect(offered).toMatchObject({ kind: "file", fileName: "bella.png", folder: inbox() });
    expect((await bench.call("films.list", {})).films).toEqual([]);
    const { openingId } = offered as { openingId: string };
    const { filmId } = await bench.call("opening.import", { openingId });
    expect((await bench.call("films.list", {})).films).toMatchObject([{ id: filmId, fileName: "bella.png" }]);
    await expect(bench.call("opening.import", { openingId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("outside the watched folders is refused without revealing which files exist", async () => {
    const outside = path.join(root(), "secret.png");
    writeFileSync(outside, await smallPicture(2));
    symlinkSync(outside, path.join(inbox(), "link.png"));
    mkdirSync(path.join(root(), "in-beside"));
    linkSync(outside, path.join(root(), "in-beside", "a.png"));
    const refusals = [
      outside,
      path.join(inbox(), "..", "secret.png"),
      `${inbox()}/../in-beside/a.png`,
      path.join(root(), "in-beside", "a.png"),
      path.join(inbox(), "link.png"),
      path.join(root(), "missing.png"),
      path.join(inbox(), "missing.png"),
      inbox(),
      "secret.png",
      "\\\\elsewhere\\share\\a.png",
      "//elsewhere/share/a.png",
      "file:///etc/passwd",
      "/etc/passwd",
    ];
    for (const file of refusals)
      expect(await openings().openLink(link("file", file)), file).toMatchObject({
        code: "NOT_PERMITTED",
        reason: { name: "linkOutside" },
      });
    expect((await bench.call("films.list", {})).films).toEqual([]);
  });

  test("is refused if its file has been replaced by a link out of the folder", async () => {
    const file = path.join(inbox(), "a.png");
    writeFileSync(file, await smallPicture(3));
    await openings().openLink(link("file", file));
    const { openingId } = (await take()) as { openingId: string };
    writeFileSync(path.join(root(), "b.png"), await smallPicture(4));
    rmSync(file);
    symlinkSync(path.join(root(), "b.png"), file);
    await expect(bench.call("opening.import", { openingId })).rejects.toMatchObject({ code: "NOT_PERMITTED" });
  });
});

test("opens a film of the command line at once and refuses other files", async () => {
  const opening = await openings().askWithFilm("bella.png", await smallPicture(5));
  const [film] = (await bench.call("films.list", {})).films;
  expect([opening, await take()]).toEqual([
    { kind: "film", filmId: film!.id },
    { kind: "film", filmId: film!.id },
  ]);
  await expect(openings().askWithFilm("letter.txt", Buffer.from("Dear Sir"))).rejects.toMatchObject({
    code: "UNSUPPORTED_IMAGE",
  });
});

test("resolves file URLs of a command line, and keeps invalid ones as paths", () => {
  const file = path.resolve("films", "Größe 100% #2.dcm");
  const { paths } = namedByArguments([pathToFileURL(file).href, "file:///%E0%A4%A"], "/films");
  expect(paths).toEqual([file, path.resolve("/films", "file:///%E0%A4%A")]);
});

test("ignores all other arguments of a command line with a link", () => {
  expect(namedByArguments(["--flag", "a.dcm", ""], "/films")).toEqual({ links: [], paths: ["/films/a.dcm"] });
  const smuggled = ["corvet://open?number=1", "--data-dir=/tmp/x", "C:\\evil.dcm"];
  expect(namedByArguments(smuggled, "/films")).toEqual({ links: ["corvet://open?number=1"], paths: [] });
});
