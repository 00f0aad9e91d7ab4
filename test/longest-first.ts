import { existsSync } from "node:fs";
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, longest first. A runner begins the largest files first where it knows no times, as on a
 * clean checkout; one of these, begun last, would run alone while the other processor waits.
 */
const longest: readonly string[] = [
  // Before the service's package, with which it shares the build.
  "tools/packaging/package",
  "main/store/encryption/encryption",
  "tools/load-and-fuzz",
  "cluster/cluster",
  "main/server/kill",
  "main/server/conformance-elsewhere",
  "tools/packaging/service-package",
  "end-to-end/journeys/reaching",
  "end-to-end/journeys/hindering",
  "main/commands/keys",
  "main/commands/measure",
  "conformance/section-3-sessions",
  "main/server/hostile-clients",
  "end-to-end/journeys/keeping",
  "end-to-end/journeys/watching",
  "end-to-end/journeys/long-list",
  "main/inference/engine",
  "main/store/processes",
  "main/store/engines/postgres-faults",
  "main/commands/folders",
  "main/services/network/restore",
  "main/dicom/dicom-reader",
  "main/inference/engine-flows",
  "main/dicom/network/receiver-watchdog",
  "end-to-end/journeys/capturing",
  "end-to-end/journeys/dicom-studies",
  "end-to-end/deep-films",
];

/**
 * Begins the longest files first, then the largest.
 *
 * @throws Error when a listed file is gone
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = longest.filter((name) => !existsSync(path.join(import.meta.dirname, `${name}.test.ts`)));
    if (gone.length > 0) throw new Error(`test/longest-first.ts names files that are gone: ${gone.join(", ")}`);
    const rank = ({ moduleId }: TestSpecification) => {
      const name = path.relative(import.meta.dirname, moduleId).replaceAll("\\", "/");
      const place = longest.findIndex((each) => name === `${each}.test.ts`);
      return place === -1 ? longest.length : place;
    };
    // Stable: the others stay as the runner has ordered them.
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
