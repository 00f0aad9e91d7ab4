import { Command } from "commander";
import { programVersion } from "../../program.ts";
import { commands } from "../commands.ts";
import { runProgram } from "./run-program.ts";

/**
 * Runs the `corvet` command and sets the exit status.
 *
 * @param argv  the command's name and its arguments
 */
export async function runCorvet([name = "", ...rest]: readonly string[]): Promise<void> {
  if (name === "help" && rest.length > 0) return await runCorvet([...rest, "--help"]);
  const named = commands[name];
  const program = new Command("corvet")
    .description("Corvet's commands. Not clinically validated.")
    .version(programVersion)
    .addHelpText("after", "\nRun corvet COMMAND --help for the options of a command.");

  if (named) program.addCommand(await named.load());
  else for (const [each, { summary }] of Object.entries(commands)) program.command(each).description(summary);

  await runProgram(program, name === "" ? rest : [name, ...rest]);
}
