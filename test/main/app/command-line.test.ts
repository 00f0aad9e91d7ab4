import path from "node:path";
import { expect, it } from "vitest";
import { readCommandLine } from "../../../main/app/command-line.ts";

const film = "dog.jpg";
const link = "corvet://open?number=1";

it.each([
  ["an installed program", true, ["/opt/corvet", "--data-dir=/data", film]],
  ["a checkout", false, ["electron", ".", "--data-dir=/data", film]],
  ["a checkout after switches of Chromium", false, ["electron", "--data-dir=/data", ".", film]],
] as const)("reads options and files of %s", (_name, isPackaged, argv) => {
  const { named, options, option } = readCommandLine(argv, isPackaged);
  expect([named, options, option("data-dir"), option("port")]).toEqual([
    ["--data-dir=/data", film],
    ["--data-dir=/data"],
    "/data",
    undefined,
  ]);
});

it.each([link, "--"])("ignores options after %s", (foreign) => {
  expect(readCommandLine(["corvet", "--port=1", foreign, "--sign-in-off"], true).options).toEqual(["--port=1"]);
});

it("repeats permanent options at a restart, with absolute paths", () => {
  const argv = [
    "electron",
    ".",
    "--sign-in-off",
    "--recovery-key-file=a",
    "--hidden",
    "--data-dir=b=c",
    "--port=0",
    film,
  ];
  expect(readCommandLine(argv, false).forRestart).toEqual([
    process.cwd(),
    `--data-dir=${path.resolve("b=c")}`,
    "--port=0",
  ]);
});

it("treats an empty data directory as missing, also at a restart", () => {
  const { option, forRestart } = readCommandLine(["corvet", "--data-dir=", "--port=0"], true);
  expect([option("data-dir"), forRestart]).toEqual([undefined, ["--port=0"]]);
});
