import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export type RawAssociation = {
  readonly socket: Socket;
  heard(): Buffer;
  send(...chunks: Buffer[]): void;
  hear(type: number): Promise<void>;
  readonly closed: Promise<void>;
};

export const pduTypes = { accept: 2, reject: 3, abort: 7 } as const;

export async function connectRaw(port: number, localAddress = "127.0.0.1"): Promise<RawAssociation> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  let heard = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => (heard = Buffer.concat([heard, chunk])));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  return {
    socket,
    closed,
    heard: () => heard,
    send: (...chunks) => chunks.forEach((chunk) => socket.write(chunk)),
    async hear(type) {
      while (!typesIn(heard).includes(type)) {
        if (socket.destroyed) throw new Error(`no PDU of type ${type}; heard ${typesIn(heard).join(", ")}`);
        await delay(5);
      }
    },
  };
}

export function typesIn(bytes: Buffer): number[] {
  const types: number[] = [];
  for (let offset = 0; offset + 6 <= bytes.length; offset += 6 + bytes.readUInt32BE(offset + 2))
    types.push(bytes.readUInt8(offset));
  return types;
}

export function pdu(type: number, body: Buffer, lengthSaid = body.length): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt8(type, 0);
  head.writeUInt32BE(lengthSaid, 2);
  return Buffer.concat([head, body]);
}

export function acceptance(maxPduBytes: number): Buffer {
  const item = (type: number, body: Buffer) =>
    Buffer.concat([Buffer.from([type, 0, body.length >> 8, body.length & 255]), body]);
  const maxPdu = Buffer.alloc(4);
  maxPdu.writeUInt32BE(maxPduBytes);
  const context = Buffer.concat([Buffer.from([1, 0, 0, 0]), item(0x40, Buffer.from("1.2.840.10008.1.2.1"))]);
  return pdu(
    2,
    Buffer.concat([
      Buffer.from([0, 1, 0, 0]),
      Buffer.alloc(64, 0x20),
      item(0x10, Buffer.from("1.2.840.10008.3.1.1.1")),
      item(0x21, context),
      item(0x50, item(0x51, maxPdu)),
    ]),
  );
}

type Proposal = {
  readonly calling?: string;
  readonly called?: string;
  readonly abstractSyntax?: string;
  readonly maxPduBytes?: number;
  readonly contextIds?: readonly number[];
};

export function associateRequest({
  calling = "RAW",
  called = "CORVET",
  abstractSyntax = "1.2.840.10008.5.1.4.1.1.1",
  maxPduBytes = 16_384,
  contextIds = [1],
}: Proposal = {}): Buffer {
  const maxPdu = Buffer.alloc(4);
  maxPdu.writeUInt32BE(maxPduBytes);
  const contexts = contextIds.map((id) =>
    item(
      0x20,
      Buffer.concat([
        Buffer.from([id, 0, 0, 0]),
        item(0x30, Buffer.from(abstractSyntax)),
        item(0x40, Buffer.from("1.2.840.10008.1.2")),
      ]),
    ),
  );
  const user = Buffer.concat([
    item(0x51, maxPdu),
    item(0x52, Buffer.from("1.2.3.4")),
    item(0x53, Buffer.from([0, 0, 0, 0])),
  ]);
  return pdu(
    1,
    Buffer.concat([
      Buffer.from([0, 1, 0, 0]),
      Buffer.from(called.padEnd(16)),
      Buffer.from(calling.padEnd(16)),
      Buffer.alloc(32),
      item(0x10, Buffer.from("1.2.840.10008.3.1.1.1")),
      ...contexts,
      item(0x50, user),
    ]),
  );
}

export function fragment(
  kind: "command" | "data",
  isLast: boolean,
  bytes: Buffer,
  lengthSaid = bytes.length + 2,
): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32BE(lengthSaid, 0);
  head.writeUInt8(1, 4);
  head.writeUInt8((kind === "command" ? 1 : 0) + (isLast ? 2 : 0), 5);
  return pdu(4, Buffer.concat([head, bytes]));
}

export function storeCommand(sopInstanceUid: string, sopClassUid = "1.2.840.10008.5.1.4.1.1.1"): Buffer {
  const body = Buffer.concat([
    element(0x0002, uidBytes(sopClassUid)),
    element(0x0100, u16(1)),
    element(0x0110, u16(1)),
    element(0x0700, u16(0)),
    element(0x0800, u16(0)),
    element(0x1000, uidBytes(sopInstanceUid)),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([element(0x0000, length), body]);
}

function item(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt8(type, 0);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

export function element(number: number, value: Buffer, group = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(group, 0);
  head.writeUInt16LE(number, 2);
  head.writeUInt32LE(value.length, 4);
  return Buffer.concat([head, value]);
}

function uidBytes(uid: string): Buffer {
  return Buffer.from(uid.length % 2 === 0 ? uid : `${uid}\0`);
}

function u16(value: number): Buffer {
  return Buffer.from([value & 255, value >> 8]);
}
