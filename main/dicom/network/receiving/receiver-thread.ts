import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { BlockList, createServer, isIPv6, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { GatedSocket } from "../gated-socket.ts";
import { tlsRules } from "../secure-socket.ts";
import { serveThread, type ServedCall } from "../../../workers/serve-thread.ts";
import { createConnectionSlots, type SlotHolder } from "./connection-slots.ts";
import type { AssociationReport, ReceiverCalls, ReceiverMessage, ReceiverOptions } from "./receiver-calls.ts";
import { noFacts, StoreProvider } from "./store-provider.ts";

// Runs in a thread, so that errors of the library, or bytes that crash it, end the thread and not the program.

const sockets = new Set<Socket>();
const servers: Server[] = [];
let isStopped = false;
let isRefusing = false;

serveThread<ReceiverCalls>({ receive, refuseObjects, ping: () => null }, { onClose: stop });

type Emit = (message: ReceiverMessage) => void;

/** A connection from its first byte on; `gated` is null until a TLS handshake has ended. */
type Connection = SlotHolder & { gated: GatedSocket | null; isEvicted: boolean };

async function receive(options: ReceiverOptions, call: ServedCall<ReceiverMessage>): Promise<null> {
  const emit: Emit = (message) => call.progress(message);
  isRefusing = options.isRefusing ?? false;
  const allowed = options.allowedAddresses && blockListOf(options.allowedAddresses);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  let { port } = options;
  for (const [index, address] of options.addresses.entries()) {
    const server = serverFor(options, allowed, emit);
    const listening = await listen(server, port, address);
    if (typeof listening === "number") port = listening;
    else if (index === 0 || !isMissing(listening)) {
      stop();
      emit({ kind: "not-listening", code: listening });
      return null;
    }
  }
  if (!isStopped) emit({ kind: "listening", port });
  await Promise.all(servers.filter(({ listening }) => listening).map((server) => once(server, "close")));
  return null;
}

function refuseObjects(next: boolean): null {
  isRefusing = next;
  return null;
}

function isMissing(code: string): boolean {
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}

/** @returns the port, or the system's error code */
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

function serverFor(options: ReceiverOptions, allowed: BlockList | null, emit: Emit): Server {
  const { encryption, limits } = options;
  const connections = new Map<string, Connection>();
  const slots = createConnectionSlots(limits.connections);
  const admit = (socket: Socket): Connection | null => {
    const address = socket.remoteAddress ?? "";
    const isAllowed = !allowed || allowed.check(address, isIPv6(address) ? "ipv6" : "ipv4");
    const connection = connectionOf(socket, emit);
    if (isAllowed && slots.take(connection)) {
      const key = keyOf(socket);
      connections.set(key, connection);
      sockets.add(socket);
      socket.once("close", () => {
        slots.free(connection);
        connections.delete(key);
        sockets.delete(socket);
      });
      return connection;
    }
    emit(association({ address, fault: isAllowed ? "too-many-connections" : "address-not-allowed" }));
    socket.destroy();
    return null;
  };
  if (!encryption)
    return createServer((socket) => {
      const connection = admit(socket);
      if (connection) serve(socket, connection, options, emit);
    });
  const server = createTlsServer({
    ...tlsRules,
    cert: encryption.own.certificatePem,
    key: encryption.own.privateKeyPem,
    handshakeTimeout: limits.associationMs,
    ...(encryption.trusted !== "" && { requestCert: true, ca: encryption.trusted }),
  });
  server.on("connection", admit);
  server.on("tlsClientError", (_error: Error, socket: Socket) => {
    const address = socket.remoteAddress;
    if (address !== undefined && !connections.get(keyOf(socket))?.isEvicted)
      emit(association({ address, fault: "not-secure" }));
    socket.destroy();
  });
  return server.on("secureConnection", (socket: Socket) => {
    const connection = connections.get(keyOf(socket));
    if (connection) serve(socket, connection, options, emit);
    else socket.destroy();
  });
}

function keyOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}

function connectionOf(socket: Socket, emit: Emit): Connection {
  const address = socket.remoteAddress ?? "";
  const connection: Connection = {
    address,
    gated: null,
    isEvicted: false,
    isSilent: () => connection.gated?.isSilent() ?? true,
    evict() {
      connection.isEvicted = true;
      if (!connection.gated) emit(association({ address, fault: "too-many-connections" }));
      connection.gated?.destroy();
      socket.destroy();
    },
  };
  return connection;
}

function stop(): void {
  isStopped = true;
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
}

function serve(socket: Socket, connection: Connection, options: ReceiverOptions, emit: Emit): void {
  const { address } = connection;
  const gated = new GatedSocket(socket, "provider", options.limits);
  connection.gated = gated;
  const provider = new StoreProvider(gated, { ...options, isRefusing: () => isRefusing }, (fileName) =>
    emit({ kind: "received", fileName }),
  );
  gated.once("close", () => {
    const { isReleased, ...facts } = provider.facts;
    const ended = connection.isEvicted ? "too-many-connections" : (facts.fault ?? gated.fault?.fault);
    emit(association({ ...facts, address, fault: ended ?? (isReleased ? null : "connection-lost") }));
  });
}

function association(
  facts: Pick<AssociationReport, "address" | "fault"> & Partial<AssociationReport>,
): Extract<ReceiverMessage, { kind: "association" }> {
  return { kind: "association", report: { ...noFacts, ...facts } };
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
