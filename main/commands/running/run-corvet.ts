import { Command } from "commander";
import { programVersion } from "../../program.ts";
import { commands } from "../commands.ts";
import { completionScript } from "./completion.ts";
import { print, runProgram } from "./run-program.ts";

/**
 * Runs a line of the `corvet` command and sets the exit status.
 *
 * @param argv  the command's name and its arguments
 */
export async function runCorvet([name = "", ...rest]: readonly string[]): Promise<void> {
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

  await runProgram(program, name === "" ? rest : [name, ...rest]);
}
