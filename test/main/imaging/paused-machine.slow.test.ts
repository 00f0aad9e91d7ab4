import { execFileSync, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { programDir } from "../../../main/program.ts";

if (process.platform === "win32") console.log("skipped: Windows cannot stop a process");

const processState = (pid: number | undefined) =>
  execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim();

it.skipIf(process.platform === "win32")("does not reject a picture for a pause of the computer", async () => {
  const source = `
    import { decodeImage } from "./main/imaging/decode-image.ts";
    import sharp from "sharp";
    const create = { width: 3000, height: 3000, channels: 3, background: "grey" };
    const film = await sharp({ create }).jpeg({ progressive: true }).toBuffer();
    const ended = decodeImage(film, { timeoutSeconds: 1 }).then(() => "decoded", ({ code }) => code);
    const begun = setInterval(() => {
      if (sharp.counters().process === 0) return;
      clearInterval(begun);
      process.kill(process.pid, "SIGSTOP");
    }, 1);
    console.log(await ended);
    clearInterval(begun);`;
  // A pause may begin after the last line has been decoded, or not at all.
  const outcome = async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], { cwd: programDir });
    const said = text(child.stdout);
    await expect.poll(() => child.exitCode !== null || processState(child.pid).startsWith("T")).toBe(true);
    const stoppedMs = performance.now();
    await expect.poll(() => performance.now() - stoppedMs).toBeGreaterThan(1100);
    child.kill("SIGCONT");
    return (await said).trim();
  };
  let last = "decoded";
  for (let attempt = 0; attempt < 10 && last === "decoded"; attempt += 1) last = await outcome();
  expect(last).toBe("DECODING_INTERRUPTED");
});
