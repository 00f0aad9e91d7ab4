import { Command } from "commander";
import { programVersion } from "../program.ts";
import { commands } from "./commands.ts";
import { completionScript } from "./running/completion.ts";
import { print, runProgram } from "./running/run-program.ts";

const [name = "", ...rest] = process.argv.slice(2);
const named = commands[name];
const program = new Command("corvet")
  .description("Corvet's commands. Not clinically validated.")
  .version(programVersion)
  .addHelpText("after", "\nRun corvet COMMAND --help for the options of a command.");

if (named) program.addCommand(await named.load());
else for (const [each, { summary }] of Object.entries(commands)) program.command(each).description(summary);

program
  .command("completion")
  .description("print a completion script for bash")
  .action(async () => {
    const all = await Promise.all(Object.values(commands).map(({ load }) => load()));
    print(completionScript(all));
  });

await runProgram(
  program,
  [name, ...rest].filter((argument, index) => index > 0 || argument !== ""),
);
