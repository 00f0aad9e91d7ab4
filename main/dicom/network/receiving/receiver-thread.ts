import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { BlockList, createServer, isIPv6, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { GatedSocket } from "../gated-socket.ts";
import { tlsRules } from "../secure-socket.ts";
import { serveThread, type ServedCall } from "../../../workers/serve-thread.ts";
import type { AssociationReport, ReceiverCalls, ReceiverMessage, ReceiverOptions } from "./receiver-calls.ts";
import { StoreProvider } from "./store-provider.ts";

// Runs in a thread: a fault in the library, or bytes that it does not survive, ends this thread and never the program.

const sockets = new Set<Socket>();
const servers: Server[] = [];
let isStopped = false;
let isRefusing = false;

serveThread<ReceiverCalls>({ receive, refuseObjects, ping: () => null }, { onClose: stop });

type Tell = (message: ReceiverMessage) => void;

async function receive(options: ReceiverOptions, call: ServedCall<ReceiverMessage>): Promise<null> {
  const tell: Tell = (message) => call.progress(message);
  isRefusing = options.isRefusing ?? false;
  const allowed = options.allowedAddresses && blockListOf(options.allowedAddresses);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  let { port } = options;
  for (const [index, address] of options.addresses.entries()) {
    const server = serverFor(options, allowed, tell);
    const listening = await listen(server, port, address);
    if (typeof listening === "number") port = listening;
    else if (index === 0 || !isMissing(listening)) {
      stop();
      tell({ kind: "not-listening", code: listening });
      return null;
    }
  }
  if (!isStopped) tell({ kind: "listening", port });
  await Promise.all(servers.filter(({ listening }) => listening).map((server) => once(server, "close")));
  return null;
}

function refuseObjects(next: boolean): null {
  isRefusing = next;
  return null;
}

/** This computer has no such address, as one without IPv6. */
function isMissing(code: string): boolean {
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}

/** @returns the port, or the system's code where it cannot be had */
function listen(server: Server, port: number, address: string): Promise<number | string> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    server.listen({ port, host: address, ipv6Only: isIPv6(address) }, () => {
      servers.push(server);
      if (isStopped) server.close();
      const bound = server.address();
      resolve(typeof bound === "object" && bound ? bound.port : port);
    });
  });
}

function serverFor(options: ReceiverOptions, allowed: BlockList | null, tell: Tell): Server {
  const { encryption, limits } = options;
  const admit = (socket: Socket): boolean => {
    const address = socket.remoteAddress ?? "";
    if (!allowed || allowed.check(address, isIPv6(address) ? "ipv6" : "ipv4")) return true;
    tell(association({ address, fault: "address-not-allowed" }));
    socket.destroy();
    return false;
  };
  const server = encryption
    ? createTlsServer({
        ...tlsRules,
        cert: encryption.own.certificatePem,
        key: encryption.own.privateKeyPem,
        handshakeTimeout: limits.associationMs,
        ...(encryption.trusted !== "" && { requestCert: true, ca: encryption.trusted }),
      })
    : createServer();
  server.maxConnections = limits.connections;
  server.on("drop", (dropped) =>
    tell(association({ address: dropped?.remoteAddress ?? "", fault: "too-many-connections" })),
  );
  if (!encryption) return server.on("connection", (socket) => admit(socket) && serve(socket, options, tell));
  server.on("connection", (socket) => {
    if (!admit(socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", (_error: Error, socket: Socket) => {
    const address = socket.remoteAddress;
    if (address !== undefined) tell(association({ address, fault: "not-secure" }));
    socket.destroy();
  });
  return server.on("secureConnection", (socket: Socket) => serve(socket, options, tell));
}

function stop(): void {
  isStopped = true;
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
}

function serve(socket: Socket, options: ReceiverOptions, tell: Tell): void {
  const address = socket.remoteAddress ?? "";
  sockets.add(socket);
  const gated = new GatedSocket(socket, "provider", options.limits);
  const provider = new StoreProvider(gated, { ...options, isRefusing: () => isRefusing }, (fileName) =>
    tell({ kind: "received", fileName }),
  );
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
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
