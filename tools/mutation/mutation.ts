/**
 * Mutation testing: changes one place of the code at a time, runs the quick tests nearest to it and prints the
 * mutations that no test catches. Sources are changed only in memory.
 */
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { listMutations, type Mutation } from "./mutations.ts";
import { nearestTests } from "./nearest-tests.ts";

const root = path.join(import.meta.dirname, "..", "..");
const mutated = ["core/cardiac", "core/billing", "core/usg", "main/store/ledger"];
const minCaughtShare = 0.9;
const firstTests = 8;
/** Time limit that ends infinite loops [ms]; such mutations count as caught. */
const limitMs = 300_000;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});

/** Random numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function choose(count: number, seed: number): Mutation[] {
  const files = (values.only ? [values.only] : mutated).flatMap((place) =>
    place.endsWith(".ts") ? [place] : globSync(`${place}/**/*.ts`, { cwd: root }).sort(),
  );
  const all = files.flatMap((file) => listMutations(file, readFileSync(path.join(root, file), "utf8")));
  const random = randomFrom(seed);
  return all
    .map((mutation) => ({ mutation, at: random() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ mutation }) => mutation);
}

/** Runs the nearest tests, then the others that reach the mutated file. @returns whether one failed */
async function isCaught(mutation: Mutation): Promise<boolean> {
  const tests = nearestTests(root, mutation.file);
  const [first, others] = [tests.slice(0, firstTests), tests.slice(firstTests)];
  return (await doesOneFail(mutation, first)) || (await doesOneFail(mutation, others));
}

async function doesOneFail(mutation: Mutation | null, tests: readonly string[]): Promise<boolean> {
  if (tests.length === 0) return false;
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const config = path.join("tools", "mutation", "vitest.config.mjs");
  const options = ["--config", config, "--project", "quick*", "--bail", "1", "--reporter", "dot"];
  const child = spawn(process.execPath, [vitest, "run", "--root", root, ...options, ...tests], {
    cwd: root,
    env: { ...process.env, CORVET_MUTATION: JSON.stringify(mutation) },
    stdio: "ignore",
    detached: true,
  });
  const timer = mutation && setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), limitMs);
  const status = await new Promise((resolve) => child.once("exit", resolve));
  if (timer) clearTimeout(timer);
  return status !== 0;
}

const survivors: string[] = [];
const chosen = choose(Number(values.count), Number(values.seed));
const used = new Set(chosen.flatMap(({ file }) => nearestTests(root, file)));
if (await doesOneFail(null, [...used])) {
  process.stderr.write("The tests fail without a mutation: run npm test.\n");
  process.exit(1);
}
for (const [index, mutation] of chosen.entries()) {
  const caught = await isCaught(mutation);
  const source = readFileSync(path.join(root, mutation.file), "utf8");
  const place = `${mutation.file}:${mutation.line}  ${source.slice(mutation.from, mutation.to)}  ->  ${mutation.text}`;
  process.stdout.write(`${index + 1}/${chosen.length} ${caught ? "caught  " : "SURVIVED"} ${place}\n`);
  if (!caught) survivors.push(place);
}
const share = 1 - survivors.length / chosen.length;
process.stdout.write(
  `\n${(100 * share).toFixed(1)} % of ${chosen.length} caught. Survived:\n${survivors.join("\n")}\n`,
);
process.exit(share >= minCaughtShare ? 0 : 1);
