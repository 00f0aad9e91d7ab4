import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isMainThread } from "node:worker_threads";
import { removeAtExit } from "../fixtures/process/process-end.ts";

// Simulates V8's memory cage in each thread of a process (`node --import`). Native add-ons are loaded from copies in
// which Node-API refuses buffers outside the cage. As in Electron, an add-on must then copy its data, or fails.
// docs/breaking-changes.md ("V8 Memory Cage enabled"), https://www.electronjs.org/blog/v8-memory-cage

const refused = ["napi_create_external_arraybuffer", "napi_create_external_buffer"];
/** x86-64 code: resolver of an indirect function, and the function, `return napi_no_external_buffers_allowed`. */
const refusal = Buffer.from("488d0501000000c3b816000000c3", "hex");
const [loadable, dynamic, executable, indirect] = [1, 2, 1, 37n];

/** Folder shared by the threads of the process, since threads may be terminated before they can clean up. */
const copies = path.join(tmpdir(), `corvet-cage-${process.pid}`);
mkdirSync(copies, { recursive: true });
if (isMainThread) removeAtExit(copies);
const isKnown = process.platform === "linux" && process.arch === "x64";
const dlopen = process.dlopen.bind(process);
process.dlopen = (module, file, ...flags) => {
  const addOn = readFileSync(file);
  const isRefused = isKnown && refused.some((name) => addOn.includes(`${name}\0`));
  dlopen(module, isRefused ? writeBesidePackages(file, withoutExternalBuffers(addOn)) : file, ...flags);
};

/** Writes a copy of an add-on next to links to the other packages of its scope, where sharp's finds its libraries. */
function writeBesidePackages(file: string, content: Buffer): string {
  const [packages, name, ...within] = [path.resolve(file, "../../.."), ...file.split(path.sep).slice(-3)];
  const folder = mkdtempSync(path.join(copies, "packages-"));
  const isScope = path.basename(packages).startsWith("@");
  for (const other of isScope ? readdirSync(packages) : [])
    if (other !== name) symlinkSync(path.join(packages, other), path.join(folder, other));
  const copy = path.join(folder, name!, ...within);
  mkdirSync(path.dirname(copy), { recursive: true });
  writeFileSync(copy, content);
  return copy;
}

/** Binds the refused functions of an ELF file to `refusal`, which is appended to its code. @see man 5 elf */
function withoutExternalBuffers(elf: Buffer): Buffer {
  const at = (offset: number) => Number(elf.readBigUInt64LE(offset));
  const headers = Array.from({ length: elf.readUInt16LE(56) }, (_, index) => at(32) + index * 56).map((header) => ({
    header,
    type: elf.readUInt32LE(header),
    flags: elf.readUInt32LE(header + 4),
    offset: at(header + 8),
    address: at(header + 16),
    size: at(header + 32),
  }));
  const segments = headers.filter(({ type }) => type === loadable);
  const offsetOf = (address: number) => {
    const segment = segments.find((each) => address >= each.address && address < each.address + each.size)!;
    return address - segment.address + segment.offset;
  };
  const code = segments.find(({ flags }) => flags & executable)!;
  const end = code.offset + code.size;
  if (elf.subarray(end, end + refusal.length).some((byte) => byte !== 0)) throw new Error("no room after the code");
  refusal.copy(elf, end);
  for (const field of [32, 40]) elf.writeBigUInt64LE(BigInt(code.size + refusal.length), code.header + field);
  const entries = new Map<number, number>();
  for (let entry = headers.find(({ type }) => type === dynamic)!.offset; at(entry) !== 0; entry += 16)
    entries.set(at(entry), at(entry + 8));
  const [strings, symbols] = [offsetOf(entries.get(5)!), offsetOf(entries.get(6)!)];
  // DT_JMPREL and DT_RELA
  for (const [table, size] of [
    [23, 2],
    [7, 8],
  ] as const) {
    const start = offsetOf(entries.get(table)!);
    for (let entry = start; entry < start + entries.get(size)!; entry += 24) {
      const name = strings + elf.readUInt32LE(symbols + Number(elf.readBigUInt64LE(entry + 8) >> 32n) * 24);
      if (!refused.includes(elf.toString("latin1", name, elf.indexOf(0, name)))) continue;
      elf.writeBigUInt64LE(indirect, entry + 8);
      elf.writeBigUInt64LE(BigInt(code.address + code.size), entry + 16);
    }
  }
  return elf;
}
