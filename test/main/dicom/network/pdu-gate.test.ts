import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GateFault } from "../../../../main/dicom/network/message-fragments.ts";
import { networkLimits } from "../../../../main/dicom/network/network-limits.ts";
import { createPduGate } from "../../../../main/dicom/network/pdu-gate.ts";
import { associateRequest, fragment, pdu, storeCommand } from "./raw-association.ts";

const echoCommand = command(0x0030, 0x0101);
const session = [
  associateRequest(),
  fragment("command", true, echoCommand),
  fragment("command", false, storeCommand("1.2.3").subarray(0, 40)),
  fragment("command", true, storeCommand("1.2.3").subarray(40)),
  fragment("data", false, Buffer.alloc(3000, 7)),
  fragment("data", true, Buffer.alloc(11, 9)),
  pdu(5, Buffer.alloc(4)),
];

function command(field: number, dataSetType: number): Buffer {
  const element = (number: number, value: number) =>
    Buffer.from([0, 0, number & 255, number >> 8, 2, 0, 0, 0, value & 255, value >> 8]);
  return Buffer.concat([element(0x0100, field), element(0x0800, dataSetType)]);
}

function pass(chunks: readonly Buffer[]): Buffer[] {
  const gate = createPduGate("provider", networkLimits);
  const passed: Buffer[] = [];
  for (const chunk of chunks) {
    gate.push(chunk);
    for (let next = gate.take(); next !== null; next = gate.take()) {
      passed.push(Buffer.from(next));
      gate.answered();
    }
  }
  return passed;
}

describe("the gate", () => {
  test("passes a whole session unchanged in any fragmentation", () => {
    const all = Buffer.concat(session);
    expect(pass([all])).toEqual(session);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const chunks: Buffer[] = [];
        for (let offset = 0, index = 0; offset < all.length; index++) {
          const size = sizes[index % sizes.length]!;
          chunks.push(all.subarray(offset, offset + size));
          offset += size;
        }
        expect(pass(chunks)).toEqual(session);
      }),
    );
  });

  test("holds back a message until the previous one is answered", () => {
    const gate = createPduGate("provider", networkLimits);
    gate.push(Buffer.concat([session[0]!, session[1]!, session[1]!]));
    expect(gate.take()).toEqual(session[0]);
    expect([gate.phase(), gate.take()]).toEqual(["answering", null]);
    gate.answered();
    expect(gate.take()).toEqual(session[1]);
    expect([gate.phase(), gate.take()]).toEqual(["answering", null]);
    gate.answered();
    expect(gate.take()).toEqual(session[1]);
  });

  test("reports the phase of the association", () => {
    const gate = createPduGate("provider", networkLimits);
    const phases = [gate.phase()];
    for (const bytes of [
      session[0]!,
      session[2]!,
      session[3]!,
      session[4]!,
      session[5]!.subarray(0, 8),
      session[5]!.subarray(8),
    ]) {
      gate.push(bytes);
      gate.take();
      phases.push(gate.phase());
      gate.answered();
    }
    expect(phases).toEqual(["connected", "answering", "message", "message", "message", "pdu", "answering"]);
  });

  test("passes only complete, known PDUs of mutated sessions, and throws only GateFault", () => {
    const all = Buffer.concat(session);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(all.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        fc.nat(all.length),
        (edits, cut) => {
          const bytes = Buffer.from(all.subarray(0, cut));
          for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value;
          try {
            for (const passed of pass([bytes])) expect(passed.length).toBe(6 + passed.readUInt32BE(2));
          } catch (error) {
            expect(error).toBeInstanceOf(GateFault);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
