import { Command } from "commander";
import { expect, it, onTestFinished, vi } from "vitest";
import { commands } from "../../../main/commands/commands.ts";
import { runProgram } from "../../../main/commands/running/run-program.ts";

type Case = readonly [words: string, args: readonly string[]];

function emptyPlaces(command: Command, words: readonly string[] = []): readonly Case[] {
  const own = [...words, command.name()].slice(1);
  const options = command.options.filter(({ flags }) => /<(dir|file|folder|url)/.test(flags));
  const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? "", "1"]);
  const isNamed = command.registeredArguments.some((argument) => /^(file|folder|film)$/.test(argument.name()));
  return [
    ...options.map(({ long }): Case => [`${own.join(" ")} ${long}`, [...own, long ?? "", ""]]),
    ...(isNamed ? [[own.join(" "), [...own, ...needed, ""]] as const] : []),
    ...command.commands.flatMap((sub) => emptyPlaces(sub, [...words, command.name()])),
  ];
}

it.each(Object.keys(commands))("refuses an empty text for each folder, file and address of %s", async (name) => {
  const load = async () => new Command("corvet").addCommand(await (commands[name] ?? expect.fail()).load());
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    written.mockRestore();
    process.exitCode = undefined;
  });
  const cases = emptyPlaces(await load());
  for (const [words, args] of cases) {
    written.mockClear();
    await runProgram(await load(), args);
    const [message] = written.mock.calls.flat();
    expect([words, message, process.exitCode]).toEqual([words, expect.stringMatching(/must not be empty\.\n$/), 2]);
  }
});
