// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { makeOwnCertificate } from "../../../../main/dicom/network/certificates/make-certificate.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort, hasDcmtk } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { sendTo } from "../../../../main/dicom/network/nodes.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";
import { orderEntry, spawnWlmscpfs } from "./wlmscpfs.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

// Debian's Orthanc and wlmscpfs do not support TLS, so a TLS proxy is used, as recommended.
const around = openSurroundingsOfFile();
let bench: DesktopBench;

beforeAll(async () => {
  bench = await around.open();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
});

async function encryptedNode(
  behindPort: number,
  fields: { readonly aeTitle: string; readonly offersWorklist?: true; readonly asksCommitment?: true },
) {
  const now = new Date();
  const theirs = await makeOwnCertificate("localhost", now, new Date(now.getTime() + 86_400_000));
  const { certificate } = await bench.call("dicom.saveCertificate", { pem: null });
  const server = createTlsServer(
    {
      ...{ cert: theirs.certificatePem, key: theirs.privateKeyPem },
      ...{ ca: certificate!.pem, requestCert: true, rejectUnauthorized: true },
    },
    (socket) => join(socket, connect(behindPort, "127.0.0.1")),
  );
  const port = await around.listening(server);
  const save = async (
    tls: { readonly trusted: string; readonly withOwnCertificate: boolean },
    nodeId: string | null,
  ) => {
    const node = { nodeId, name: `Front ${port}`, host: "127.0.0.1", port, ...fields, tls };
    const { nodes } = await bench.call("dicom.saveNode", node);
    return nodes.find(({ name }) => name === node.name)!.id;
  };
  const trusted = theirs.certificatePem;
  const nodeId = await save({ trusted, withOwnCertificate: true }, null);
  return {
    nodeId,
    ours: certificate!.pem,
    theirs,
    showNothing: () => save({ trusted, withOwnCertificate: false }, nodeId),
  };
}

function join(one: Socket, other: Socket): void {
  for (const end of [one, other]) end.on("error", () => [one, other].forEach((socket) => socket.destroy()));
  one.pipe(other).pipe(one);
}

const refusals = ["tls-refused", "connection-lost"];

describe.skipIf(!hasDcmtk || !hasOrthanc)("TLS with certificates of both sides", () => {
  let port: number;
  let ownPort: number;

  beforeAll(async () => {
    [port, ownPort] = [await freePort(), await freePort()];
    await around.answering(spawnOrthanc(around.folder, { dicomPort: port, ownPort }), port);
  });

  test("is used to query an archive, retrieve a film and send its results", async () => {
    const plain = { kind: "dimse", host: "127.0.0.1", port, aeTitle: "PACS", encryption: null } as const;
    const archived = phantomFile({ study: "1.2.3.98", instance: "1.2.3.98.1", patientId: "P-98" });
    expect(await sendTo(plain, [archived], { aeTitle: "CORVET" })).toEqual({ failure: null, leftOut: [] });
    const { nodeId, showNothing } = await encryptedNode(port, { aeTitle: "PACS" });
    const find = () => bench.call("pacs.find", { jobId: randomUUID(), nodeId, query: { patientId: "P-98" } });
    expect((await find()).studies).toMatchObject([{ studyInstanceUid: "1.2.3.98", objects: 1 }]);
    const fetch = { jobId: randomUUID(), nodeId, studyInstanceUid: "1.2.3.98" };
    expect(await bench.call("pacs.fetch", fetch)).toMatchObject({ fetchedObjects: 1, failure: null });
    const film = async () => (await bench.call("films.list", { search: "1.2.3.98.1" })).films[0];
    await waitUntil(async () => (await film())?.state === "done");
    const request = { sendId: randomUUID(), filmId: (await film())!.id, nodeId };
    expect(await bench.call("dicom.send", request)).toEqual({ sentObjects: 3, failure: null });
    expect((await find()).studies).toMatchObject([{ objects: 4 }]);
    await showNothing();
    const refused = await find();
    expect([refused.studies, refusals.includes(refused.failure?.reason ?? "")]).toEqual([[], true]);
  });

  test("is used by an archive that confirms results on a separate association", async () => {
    const receiverPort = await freePort();
    const { nodeId, ours, theirs } = await encryptedNode(port, { aeTitle: "PACS", asksCommitment: true });
    const shown = { ca: ours, cert: theirs.certificatePem, key: theirs.privateKeyPem };
    const wayBack = createServer((socket) => {
      join(socket, connectTls({ port: receiverPort, host: "127.0.0.1", ...shown }));
    });
    await around.listening(wayBack, ownPort);
    const receiver = {
      isOn: true,
      port: receiverPort,
      security: "tls",
      trustedClients: theirs.certificatePem,
    } as const;
    expect((await bench.call("dicom.configure", receiver)).state).toBe("listening");
    const { id: filmId } = await bench.openFilm("film.dcm", phantomFile({ instance: "1.2.3.99.1" }));
    const { sentObjects } = await bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId });
    const commitment = async () => (await bench.call("dicom.sendings", { filmId })).sendings[0]?.commitment;
    // Commitment is requested after the results are sent.
    const isAnswered = async () => !["asked", undefined].includes((await commitment())?.state);
    await waitUntil(isAnswered);
    expect([sentObjects, await commitment()]).toMatchObject([3, { state: "kept", notKept: 0, failure: null }]);
  });

  test("is used to query a worklist", async () => {
    const worklistPort = await freePort();
    const entries = { "luna.wl": orderEntry({ study: "1.2.3.71", name: "Sömmer^Luna", id: "P-5" }) };
    await around.answering(spawnWlmscpfs(around.folder, worklistPort, entries), worklistPort);
    const { nodeId, showNothing } = await encryptedNode(worklistPort, { aeTitle: "PRACTICE", offersWorklist: true });
    const find = () => bench.call("orders.find", { jobId: randomUUID(), nodeId, query: {} });
    expect((await find()).orders).toMatchObject([{ studyInstanceUid: "1.2.3.71", patient: { name: "Luna" } }]);
    await showNothing();
    const refused = await find();
    expect([refused.orders, refusals.includes(refused.failure?.reason ?? "")]).toEqual([[], true]);
  });
});
