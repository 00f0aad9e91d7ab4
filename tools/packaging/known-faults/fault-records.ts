import { z } from "zod";
import { compareVersions, isVersion } from "../../../core/updates/version.ts";

const event = z.looseObject({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
});
const affected = z.looseObject({
  package: z.looseObject({ name: z.string(), ecosystem: z.string() }).optional(),
  versions: z.array(z.string()).optional(),
  ranges: z.array(z.looseObject({ type: z.string(), events: z.array(event) })).optional(),
});

/**
 * A record of the Open Source Vulnerability format, limited to the members used.
 *
 * @see https://ossf.github.io/osv-schema/
 */
export const faultRecord = z.looseObject({
  id: z.string(),
  summary: z.string().optional(),
  withdrawn: z.string().optional(),
  affected: z.array(affected).optional(),
});

type FaultRecord = z.infer<typeof faultRecord>;
type Range = NonNullable<z.infer<typeof affected>["ranges"]>[number];

/** Whether a record is about one version of a library from npm; withdrawn ones are about none. */
export function isAffected(record: FaultRecord, name: string, version: string): boolean {
  if (record.withdrawn !== undefined) return false;
  return (record.affected ?? []).some(
    (part) =>
      part.package?.ecosystem === "npm" &&
      part.package.name === name &&
      (part.versions?.includes(version) === true || part.ranges?.some((range) => isInRange(range, version)) === true),
  );
}

/** Events ordered by version open and close the affected range; "0" precedes every version. */
function isInRange({ type, events }: Range, version: string): boolean {
  if (type !== "SEMVER" || !isVersion(version)) return false;
  const reached = (from: string) => from === "0" || (isVersion(from) && compareVersions(from, version) <= 0);
  const opened = events.filter(({ introduced }) => introduced !== undefined && reached(introduced));
  const closed = events.filter(
    ({ fixed, last_affected: last }) =>
      (fixed !== undefined && reached(fixed)) ||
      (last !== undefined && isVersion(last) && compareVersions(last, version) < 0),
  );
  return opened.length > closed.length;
}
