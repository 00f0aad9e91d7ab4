import { mkdirSync } from "node:fs";
import { BlockList, createServer, type Socket } from "node:net";
import { GatedSocket } from "../gated-socket.ts";
import { serveThread, type ServedCall } from "../../../workers/serve-thread.ts";
import type { AssociationReport, ReceiverCalls, ReceiverMessage, ReceiverOptions } from "./receiver-calls.ts";
import { StoreProvider } from "./store-provider.ts";

// Runs in a thread: a fault in the library, or bytes that it does not survive, ends this thread and never the program.

const sockets = new Set<Socket>();
const server = createServer();

serveThread<ReceiverCalls>({ receive, ping: () => null }, { onClose: stop });

type Tell = (message: ReceiverMessage) => void;

function receive(options: ReceiverOptions, call: ServedCall<ReceiverMessage>): Promise<null> {
  const tell: Tell = (message) => call.progress(message);
  const allowed = options.allowedAddresses && blockListOf(options.allowedAddresses);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  server.maxConnections = options.limits.connections;
  server.on("connection", (socket) => connect(socket, options, allowed, tell));
  server.on("drop", (dropped) =>
    tell(association({ address: dropped?.remoteAddress ?? "", fault: "too-many-connections" })),
  );
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      tell({ kind: "not-listening", code: error.code ?? "" });
      resolve(null);
    });
    server.once("close", () => resolve(null));
    server.listen(options.port, options.address, () => {
      const address = server.address();
      tell({ kind: "listening", port: typeof address === "object" && address ? address.port : options.port });
    });
  });
}

function stop(): void {
  server.close();
  for (const socket of sockets) socket.destroy();
}

function connect(socket: Socket, options: ReceiverOptions, allowed: BlockList | null, tell: Tell): void {
  const address = socket.remoteAddress ?? "";
  if (allowed && !allowed.check(address)) {
    tell(association({ address, fault: "address-not-allowed" }));
    return void socket.destroy();
  }
  sockets.add(socket);
  const gated = new GatedSocket(socket, "provider", options.limits);
  const provider = new StoreProvider(gated, options, (fileName) => tell({ kind: "received", fileName }));
  gated.once("close", () => {
    sockets.delete(socket);
    const { isReleased, ...facts } = provider.facts;
    const fault = facts.fault ?? gated.fault?.fault ?? (isReleased ? null : "connection-lost");
    tell(association({ ...facts, address, fault }));
  });
}

function association(
  facts: Pick<AssociationReport, "address" | "fault"> & Partial<AssociationReport>,
): Extract<ReceiverMessage, { kind: "association" }> {
  const report = {
    callingAeTitle: null,
    calledAeTitle: null,
    storedObjects: 0,
    refusedObjects: 0,
    echoes: 0,
    ...facts,
  };
  return { kind: "association", report };
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
