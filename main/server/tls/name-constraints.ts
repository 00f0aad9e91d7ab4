import { isIP } from "node:net";
import type { X509Certificate } from "node:crypto";

/** 127.0.0.0/8 and ::1, each as the address followed by its mask. */
const loopbackSubtrees = [
  [127, 0, 0, 0, 255, 0, 0, 0],
  [...Array<number>(15).fill(0), 1, ...Array<number>(16).fill(255)],
] as const;

/** Extension (RFC 5280, 4.2.1.10, in DER) that permits these and the loopback names only. */
export function nameConstraints(names: readonly string[]): Uint8Array<ArrayBuffer> {
  const dns = [...new Set(["localhost", ...names.filter((name) => isIP(name) === 0)])];
  const addresses = names.filter((name) => isIP(name) !== 0).map(singleAddress);
  const subtrees = [
    ...dns.map((name) => der(0x30, der(0x82, Buffer.from(name, "ascii")))),
    ...[...loopbackSubtrees, ...addresses].map((bytes) => der(0x30, der(0x87, Buffer.from(bytes)))),
  ];
  return new Uint8Array(der(0x30, der(0xa0, Buffer.concat(subtrees))));
}

export function isConstrainedTo({ raw }: X509Certificate, names: readonly string[]): boolean {
  return raw.includes(nameConstraintsId) && names.every((name) => raw.includes(subtreeOf(name)));
}

/** DER of the extension's object identifier, marked as critical. */
const nameConstraintsId = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x1e, 0x01, 0x01, 0xff]);

function subtreeOf(name: string): Buffer {
  return isIP(name) === 0
    ? der(0x30, der(0x82, Buffer.from(name)))
    : der(0x30, der(0x87, Buffer.from(singleAddress(name))));
}

/** Address followed by a mask of all ones. */
function singleAddress(address: string): number[] {
  const bytes = isIP(address) === 4 ? address.split(".").map(Number) : bytesOfIpv6(address);
  return [...bytes, ...bytes.map(() => 255)];
}

function bytesOfIpv6(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":")).map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const between = tail === undefined ? [] : Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...between, ...after].flatMap((group) => [group >> 8, group & 255]);
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
