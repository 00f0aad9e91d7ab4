import { createHash } from "node:crypto";
import { uid, writeFile, type DataSet, type Element } from "./data-set.ts";
import { uidOf } from "./uids.ts";

export type ResultFile = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly seriesInstanceUid: string;
  readonly bytes: Uint8Array;
};

export type ResultKind = "film" | "picture" | "report" | "presentation" | "keyObjects";

/** Writes a data set as a file. The SOP Instance UID is derived from the content: identical results are one object. */
export function resultFile(kind: ResultKind, dataSet: DataSet): ResultFile {
  const hash = createHash("sha256").update(
    JSON.stringify(dataSet, (_, value: unknown) =>
      value instanceof ArrayBuffer ? createHash("sha256").update(new Uint8Array(value)).digest("hex") : value,
    ),
  );
  const sopInstanceUid = uidOf("instance", kind, hash.digest("hex"));
  const whole = { ...dataSet, "00080018": uid(sopInstanceUid) };
  return {
    sopClassUid: only(dataSet["00080016"]),
    sopInstanceUid,
    seriesInstanceUid: only(dataSet["0020000E"]),
    bytes: writeFile(whole),
  };
}

function only(element: Element | undefined): string {
  return String(element?.Value[0]);
}
