import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { commands } from "../../../main/commands/commands.ts";
import { runCommand } from "../../fixtures/process/corvet-command.ts";

/** Working directory, whose files are completed too. */
const films = path.join(import.meta.dirname, "../../fixtures/films");

it.skipIf(process.platform === "win32")("completes commands, subcommands and options in bash", async () => {
  const { stdout } = await runCommand("completion");
  const completed = (...words: readonly string[]) => {
    const typed = words.map((word) => `'${word}'`).join(" ");
    const script = `${stdout}\nCOMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _corvet; echo "\${COMPREPLY[*]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8", cwd: films }).trim().split(" ");
  };
  expect(completed("corvet", "")).toEqual(expect.arrayContaining(Object.keys(commands)));
  expect(completed("corvet", "ke")).toEqual(["keys"]);
  expect(completed("corvet", "measure", "cat")).toEqual(["cat-01.jpg"]);
  expect(completed("corvet", "keys", "cre")).toEqual(["create"]);
  expect(completed("corvet", "keys", "create", "--acc")).toEqual(["--account"]);
});
