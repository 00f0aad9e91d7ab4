import { globSync, readFileSync } from "node:fs";
import { Command } from "commander";
import { expect, it } from "vitest";
import { commands } from "../../main/commands/commands.ts";

const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...globSync("docs/{*,clients/*,manual/*/*}.md")];

const program = new Command("corvet");
for (const { load } of Object.values(commands)) program.addCommand(await load());
program.command("completion");

function unknownWords(line: string): string[] {
  const words = line.split(/\s+/);
  const command = program.commands.find((known) => known.name() === words[0]);
  if (!command) return words.slice(0, 1);
  const sub = command.commands.find((known) => known.name() === words[1]) ?? command;
  const known = ["--help", ...sub.options.flatMap(({ long }) => long ?? [])];
  const isSubMissing = command.commands.length > 0 && sub === command && /^[a-z]/.test(words[1] ?? "");
  const options = words.map((word) => word.replace(/=.*/, "")).filter((word) => /^--[a-z]/.test(word));
  return [...(isSubMissing ? words.slice(1, 2) : []), ...options.filter((option) => !known.includes(option))];
}

it("names only commands and options that exist", () => {
  const lines = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/(?:npx |sudo |`)corvet ((?!COMMAND)[a-z][^`\n|>#)]*)/g)].map(
      ([, line = ""]) => ({ page, line: line.trim() }),
    ),
  );
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.flatMap(({ page, line }) => unknownWords(line).map((word) => `${page}: ${word} of ${line}`))).toEqual(
    [],
  );
});
