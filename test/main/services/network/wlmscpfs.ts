import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dataSet, partTen, sequence, text } from "../../dicom/dicom-writer.ts";

type PlannedOrder = {
  readonly study: string;
  readonly name: string;
  readonly id: string;
  readonly day?: string;
  readonly station?: string;
};

export function orderEntry({ study, name, id, day = "20261122", station = "XRAY1" }: PlannedOrder): Buffer {
  return partTen(
    "1.2.840.10008.1.2.1",
    dataSet(
      text("00080005", "CS", "ISO_IR 192"),
      text("00080050", "SH", `A-${id}`),
      text("00080090", "PN", "Weiß^Ina"),
      text("00100010", "PN", name),
      text("00100020", "LO", id),
      text("00100030", "DA", "20190304"),
      text("00100040", "CS", "F"),
      text("0020000D", "UI", study),
      text("00321060", "LO", "Thorax in zwei Ebenen"),
      sequence("00400100", [
        text("00080060", "CS", "DX"),
        text("00400001", "AE", station),
        text("00400002", "DA", day),
        text("00400003", "TM", "103000"),
        text("00400007", "LO", "Thorax links"),
        text("00400009", "SH", `S-${id}`),
      ]),
      text("00401001", "SH", `R-${id}`),
    ),
  );
}

/** Starts DCMTK's modality worklist with the AE title PRACTICE and these entries. */
export function spawnWlmscpfs(folder: string, port: number, entries: Readonly<Record<string, Buffer>>): ChildProcess {
  const lists = path.join(folder, "lists", "PRACTICE");
  mkdirSync(lists, { recursive: true });
  writeFileSync(path.join(lists, "lockfile"), "");
  for (const [name, bytes] of Object.entries(entries)) writeFileSync(path.join(lists, name), bytes);
  return spawn("wlmscpfs", ["-s", "-csk", "-dfp", path.dirname(lists), String(port)], { stdio: "ignore" });
}
