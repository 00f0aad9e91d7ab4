import type { Command } from "commander";

/**
 * Builds a completion script for bash: commands after `corvet`, then subcommands, options and file names.
 *
 * @example source <(corvet completion)
 */
export function completionScript(commands: readonly Command[]): string {
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
