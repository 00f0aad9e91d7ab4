import type { AssociationEntry } from "../../../core/contract/desktop/network/dicom.ts";

const entriesKept = 200;

type Report = Readonly<Omit<AssociationEntry, "at" | "associations">>;

/** Newest first. */
export function createAssociationLog() {
  const entries: AssociationEntry[] = [];
  let refused = 0;
  return {
    add(report: Report, at: Date) {
      const [last] = entries;
      const isRepeated = last !== undefined && report.fault !== null && isSame(last, report);
      if (report.fault !== null) refused += 1;
      // Repeated attempts of one peer must not displace all other entries.
      if (isRepeated) entries.shift();
      entries.unshift({ ...report, at: at.toISOString(), associations: isRepeated ? last.associations + 1 : 1 });
      entries.splice(entriesKept);
    },
    entries: (): readonly AssociationEntry[] => entries,
    refused: () => refused,
  };
}

function isSame(entry: AssociationEntry, report: Report): boolean {
  return (Object.keys(report) as (keyof Report)[]).every((key) => entry[key] === report[key]);
}
