import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { iterateLedger } from "../../main/store/ledger/ledger-reports.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { openPractice, type Node, type Practice } from "./practice.ts";
import { smallFilm } from "./small-film.ts";

type Body = Readonly<Record<string, unknown>>;

describe.runIf(hasPostgres)("programs of a practice", () => {
  let practice: Practice;
  let image: string;
  beforeAll(async () => {
    practice = await openPractice({ nodes: 3 });
    image = await smallFilm();
  });
  afterAll(() => practice.close());

  const post = async (node: number, path: string, body: object): Promise<Body> => {
    const { service } = practice.nodes[node] as Node;
    const { status, text } = (await service?.post(practice.key, path, body)) ?? {};
    expect(status, text).toBe(200);
    return JSON.parse(text ?? "") as Body;
  };
  const reasonOf = ({ billing }: Body) => (billing as { reason: string }).reason;
  const chargesOf = async (patient: string) => {
    const db = await practice.open();
    const rows = await Array.fromAsync(iterateLedger(db));
    await db.destroy();
    return rows.filter(({ uuid }) => uuid === patient).map(({ kind, callType }) => `${kind} ${callType}`);
  };

  it("bill a patient once that is sent to all of them at the same time", async () => {
    for (const patient of ["one", "two", "three"]) {
      const answers = await Promise.all([0, 1, 2].map((node) => post(node, "/v3/predict", { image, uuid: patient })));
      expect(answers.map(reasonOf).sort()).toEqual(["recheck_24h", "recheck_24h", "valid_vhs"]);
      expect(await chargesOf(patient)).toEqual(["charge single"]);
    }
  });

  it("continue a capture session started by another program, and process simultaneous frames in turn", async () => {
    const { session_id } = await post(0, "/v3/pop-session/start", {});
    const frame = (node: number) => post(node, "/v3/pop-session", { session_id, image, uuid: "captured" });
    const first = await Promise.all([frame(1), frame(2)]);
    expect(first.map((body) => [body["session_status"], body["good_frames"]]).sort()).toEqual([
      ["continue", 1],
      ["continue", 2],
    ]);
    const last = await Promise.all([frame(0), frame(1)]);
    expect(last.map((body) => body["session_status"])).toEqual(["complete", "complete"]);
    expect(last[1]).toEqual(last[0]);
    expect(await frame(2)).toEqual(last[0]);
    expect(await chargesOf("captured")).toEqual(["charge session"]);
  });
});
