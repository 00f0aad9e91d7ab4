import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { programDir } from "../../../main/program.ts";

test("a command whose reader has gone ends quietly", async () => {
  const command = spawn(process.execPath, ["main/commands/measure.ts", "--help"], {
    cwd: programDir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  command.stdout.destroy();
  const [messages, [status]] = await Promise.all([text(command.stderr), once(command, "exit")]);
  expect([messages, status]).toEqual(["", 0]);
});
