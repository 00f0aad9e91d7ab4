import { AppError } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import { UsageError } from "./run-program.ts";

/**
 * Runs a command and turns what happens into the exit status that shells expect: 0, 1 for an expected failure, 2 for a
 * command line that was not understood; `--help` prints the usage. Output goes to stdout, every message to stderr; a
 * stack trace is shown only for a bug.
 */
export function runCommand(
  name: string,
  usage: string,
  command: (args: string[], print: (line: string) => void) => void | Promise<void>,
): void {
  const print = (line: string) => void process.stdout.write(line.endsWith("\n") ? line : `${line}\n`);
  // The reader has closed the pipe (`| head`), which is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  void Promise.resolve()
    .then(() => {
      const args = process.argv.slice(2);
      if (args.some((argument) => argument === "--help" || argument === "-h")) return print(usage);
      return command(args, print);
    })
    .catch((error: unknown) => {
      process.exitCode = exitStatusOf(error);
      process.stderr.write(`${name}: ${messageOf(error)}\n${process.exitCode === 2 ? `\n${usage}\n` : ""}`);
    });
}

function exitStatusOf(error: unknown): number {
  return error instanceof UsageError || isParseArgsError(error) ? 2 : 1;
}

function messageOf(error: unknown): string {
  if (error instanceof AppError || error instanceof UsageError || isParseArgsError(error))
    return (error as Error).message;
  const fault = systemFaultOf(error);
  if (fault !== null) return `${fault.message} (${error instanceof Error ? error.message : String(error)})`;
  if (!(error instanceof Error)) return String(error);
  return isRefusedFile(error) ? error.message : (error.stack ?? error.message);
}

/** Node.js's error of a file or folder: its message names the reason and the path. */
function isRefusedFile(error: Error): boolean {
  return "syscall" in error && "path" in error;
}

function isParseArgsError(error: unknown): boolean {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
