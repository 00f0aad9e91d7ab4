import { mkdirSync } from "node:fs";
import { BlockList, createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { GatedSocket } from "./gated-socket.ts";
import type { AssociationReport, ReceiverMessage, ReceiverOptions, ReceiverOrder } from "./receiver-messages.ts";
import { StoreProvider } from "./store-provider.ts";

// A thread of its own: a fault in the library, or bytes that it does not survive, end this thread and never the
// program.

const port = parentPort;
if (!port) throw new Error("receiver-thread is started as a worker thread");
const options = workerData as ReceiverOptions;
const tell = (message: ReceiverMessage) => port.postMessage(message);
const sockets = new Set<Socket>();
const allowed = options.allowedAddresses && blockListOf(options.allowedAddresses);
const server = createServer(connect);

mkdirSync(options.folder, { recursive: true, mode: 0o700 });
server.maxConnections = options.limits.connections;
server.on("drop", (dropped) => report({ address: dropped?.remoteAddress ?? "", fault: "too-many-connections" }));
server.on("error", (error: NodeJS.ErrnoException) => {
  tell({ kind: "not-listening", code: error.code ?? "" });
  port.close();
});
server.listen(options.port, options.address, () => {
  const address = server.address();
  tell({ kind: "listening", port: typeof address === "object" && address ? address.port : options.port });
});
port.on("message", (order: ReceiverOrder) => {
  if (order === "ping") return tell({ kind: "alive" });
  server.close();
  for (const socket of sockets) socket.destroy();
  port.close();
});

function connect(socket: Socket): void {
  const address = socket.remoteAddress ?? "";
  if (allowed && !allowed.check(address)) {
    report({ address, fault: "address-not-allowed" });
    return void socket.destroy();
  }
  sockets.add(socket);
  const gated = new GatedSocket(socket, "provider", options.limits);
  const provider = new StoreProvider(gated, options, (fileName) => tell({ kind: "received", fileName }));
  gated.once("close", () => {
    sockets.delete(socket);
    const { isReleased, ...facts } = provider.facts;
    report({ ...facts, address, fault: facts.fault ?? gated.fault?.fault ?? (isReleased ? null : "connection-lost") });
  });
}

function report(facts: Pick<AssociationReport, "address" | "fault"> & Partial<AssociationReport>): void {
  const report = {
    callingAeTitle: null,
    calledAeTitle: null,
    storedObjects: 0,
    refusedObjects: 0,
    echoes: 0,
    ...facts,
  };
  tell({ kind: "association", report });
}

function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = "", bits] = entry.split("/");
    if (bits === undefined) list.addAddress(address);
    else list.addSubnet(address, Number(bits));
  }
  return list;
}
