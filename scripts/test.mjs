import { runLanes } from "./lanes.mjs";
import { installTestTools, reportMissingTools } from "./test-tools.mjs";

/** `quick*` selects quick, quick-page and quick-alone. @see vitest.config.ts */
const vitestProjects = (...names) => names.flatMap((name) => ["--project", `${name}*`]);

/**
 * `npm test`: types, oxlint and the quick tests. With paths or projects, only the quick and slow tests they select.
 *
 * @returns the exit status
 */
export async function testQuickly(root, checks, args) {
  preferSpeedToMemory();
  const hasProject = args.some((arg) => arg.startsWith("--project"));
  const isPart = hasProject || args.some((arg) => !arg.startsWith("-"));
  const projects = hasProject ? [] : vitestProjects("quick", ...(isPart ? ["slow"] : []));
  return await runTests(root, [checks.vitest(...projects, ...args)], isPart ? [] : [[checks.types, checks.quickLint]]);
}

/**
 * `npm run test:all`: all tests except the long ones; `--rest` omits those of `npm test`. The program is compiled
 * first, because tests of packages read the output.
 */
export async function testAll(root, checks, args) {
  preferSpeedToMemory();
  const isRest = args[0] === "--rest";
  const projects = isRest ? ["slow", "postgres"] : ["quick", "slow", "postgres"];
  const tests = checks.vitest(...vitestProjects(...projects), ...args.slice(isRest ? 1 : 0));
  const others = [checks.lint, ...checks.rest, checks.trainingTypes, checks.trainingTests];
  return await runTests(root, [tests], [others], [checks.types]);
}

/** `npm run test:long`: load, memory, fuzzing, clusters and killed processes, one file at a time. */
export async function testLong(root, checks, args) {
  return await runTests(root, [checks.vitest(...vitestProjects("long"), ...args)], []);
}

/** Unlike the program, tests retain freed buffers of less than 2 MB, which saves a fifth of the processor time. */
function preferSpeedToMemory() {
  process.env.GLIBC_TUNABLES += ":glibc.malloc.mmap_threshold=2097152";
}

/** Installs test tools and builds, then runs the checks in parallel with the tests. Vitest's setup builds the page. */
async function runTests(root, tests, otherLanes, build = []) {
  const prepared = await runLanes([[installTestTools], build], root);
  if (prepared !== 0) return prepared;
  reportMissingTools();
  return await runLanes([tests, ...otherLanes], root);
}
