import { readFileSync } from "node:fs";
import { runAsServer, type Cluster } from "../fixtures/postgres/cluster.ts";

const text = readFileSync("docs/practice.md", "utf8");
const asAdministrator = "sudo -u postgres ";

export type Substitutions = Readonly<Record<string, string>>;

function linesOf(chapter: string, language: "sh" | "ini"): string[] {
  const [, found] = text.split(`\n## ${chapter}\n`);
  if (found === undefined) throw new Error(`docs/practice.md has no chapter "${chapter}"`);
  const [own = ""] = found.split("\n## ");
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].flatMap(([, lines = ""]) =>
    lines.trimEnd().split("\n"),
  );
}

/** Server settings in a chapter whose names begin with one of the prefixes, as `name=value`. */
export function settingsOf(chapter: string, beginnings: readonly string[], meant: Substitutions): string[] {
  const lines = linesOf(chapter, "ini").filter((line) => beginnings.some((beginning) => line.startsWith(beginning)));
  if (lines.length === 0) throw new Error(`the chapter "${chapter}" has no ${beginnings.join(", ")}`);
  return lines.map((line) => substitute(line, meant).replace(/^(\w+) = '?(.*?)'?$/, "$1=$2"));
}

/**
 * Runs the matching commands of a chapter that the database administrator types, unchanged except for the
 * substitutions. Skips password prompts; passwords are set elsewhere.
 */
export function runCommandsOf(chapter: string, pattern: RegExp, server: Cluster, meant: Substitutions = {}): void {
  const lines = linesOf(chapter, "sh").filter((line) => line.startsWith(asAdministrator) && pattern.test(line));
  if (lines.length === 0) throw new Error(`the chapter "${chapter}" has no command ${pattern}`);
  for (const line of lines) {
    const command = substitute(line.slice(asAdministrator.length), meant).replace(/ -c "\\password \w+"/g, "");
    if (command !== "psql") runAsServer("bash", ["-c", command], server);
  }
}

function substitute(line: string, meant: Substitutions): string {
  return Object.entries(meant).reduce((done, [name, value]) => done.replaceAll(name, value), line);
}
