import { Command } from "commander";
import { programVersion } from "../../program.ts";
import { commands } from "../commands.ts";
import { print, runProgram } from "./run-program.ts";

export async function runCorvet([name = "", ...rest]: readonly string[]): Promise<void> {
  if (name === "help" && rest.length > 0) return await runCorvet([...rest, "--help"]);
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

/** @example source <(corvet completion) */
function completionScript(commands: readonly Command[]): string {
  const cases = commands.flatMap((command) => [
    // More specific patterns come first.
    ...command.commands.map((sub) => caseOf(`${command.name()} ${sub.name()}`, sub)),
    caseOf(command.name(), command),
  ]);
  return `_corvet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases.join("\n")}
    *) words="${commands.map((command) => command.name()).join(" ")}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}
complete -o filenames -F _corvet corvet`;
}

function caseOf(typed: string, command: Command): string {
  const subcommands = command.commands.map((sub) => sub.name());
  const options = command.options.flatMap(({ long }) => long ?? []);
  return `    "${typed} "*) words="${[...subcommands, ...options, "--help"].join(" ")}" ;;`;
}
