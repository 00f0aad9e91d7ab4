import { writeSync } from "node:fs";
import path from "node:path";
import { CommanderError, type Command } from "commander";
import { AppError } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import { refuseEmptyPlaces } from "./options.ts";

/** Error for an invalid command line; printed with the usage, exit status 2. */
export class UsageError extends Error {}

/**
 * Sets the exit status that shells expect: 0, 1 for an expected failure, 2 for a wrong command line. Output goes to
 * stdout, every message to stderr; only a bug prints a stack trace.
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe (`| head`).
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`${program.name()}: The output cannot be written (${error.message}).\n`);
    process.exit(1);
  });
  let running = program;
  for (const command of commandsOf(program)) {
    command.exitOverride().configureOutput({ outputError: () => undefined });
    command.hook("preAction", (_this, action) => void (running = action));
    refuseEmptyPlaces(command);
  }
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    process.exitCode = exitStatusOf(error);
    if (error instanceof CommanderError && error.code === "commander.help") return;
    const named = commandNamedIn(program, argv);
    process.stderr.write(`${rootOf(named)}: ${printable(messageOf(error))}\n`);
    if (process.exitCode === 2) process.stderr.write(`\n${(running === program ? named : running).helpInformation()}`);
  }
}

/** @throws Error if it cannot be written */
export function printSecret(secret: string): void {
  writeSync(process.stdout.fd, `${secret}\n`);
}

export function print(line: string): void {
  process.stdout.write(printable(line.endsWith("\n") ? line : `${line}\n`));
}

/**
 * Replaces control characters, which a terminal would interpret, and directional overrides, which would reverse the
 * following text. Names in the output originate from other programs.
 */
function printable(text: string): string {
  return text.replaceAll(/\r(?!\n)|[^\P{Cc}\t\r\n]|[\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

function commandNamedIn(command: Command, argv: readonly string[]): Command {
  const named = command.commands.find((sub) => sub.name() === argv[0]);
  return named ? commandNamedIn(named, argv.slice(1)) : command;
}

/** `keys` for `corvet keys create`. */
function rootOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? rootOf(parent) : command.name();
}

function exitStatusOf(error: unknown): number {
  return error instanceof UsageError || error instanceof CommanderError ? 2 : 1;
}

export function messageOf(error: unknown): string {
  if (error instanceof CommanderError) return error.message.replace(/^error: /, "");
  if (error instanceof AppError || error instanceof UsageError) return error.message;
  const fault = systemFaultOf(error);
  if (fault !== null) return `${fault.message} (${error instanceof Error ? error.message : String(error)})`;
  if (!(error instanceof Error)) return String(error);
  return fileFaultOf(error) ?? error.stack ?? error.message;
}

const closedFile = `cannot be used by ${process.env["USER"] ?? "this user"}`;
const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: closedFile,
  EPERM: closedFile,
  EISDIR: "is a folder",
  ENOTDIR: "is not in a folder",
  EROFS: "is on a disk that is read-only",
};

/** Explains a file error of Node.js. Names the absolute path, because a service's commands run in `/`. */
function fileFaultOf(error: NodeJS.ErrnoException): string | null {
  const { code = "", syscall, path: file } = error;
  if (syscall === "read" && code === "EISDIR") return "a folder was given instead of a file";
  if (syscall === undefined || file === undefined) return null;
  const words = fileFaults[code];
  return words === undefined ? error.message : `${path.resolve(file)} ${words}`;
}
