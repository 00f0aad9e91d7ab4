import { expect, test } from "vitest";
import { optionNotOffered } from "../../../main/commands/running/offered-options.ts";

const usage = `box list [filter] [--limit N]
box fill [--with TEXT]
           --with: what is put in
           --twice: and once more
box open
filter: [--from DAY]
  --key FILE: opens any box`;
const stray = (...args: string[]) => optionNotOffered("box", usage, args);

test.each([
  ["list", "--limit", "3", "--from=monday"],
  ["fill", "--with", "sand", "--twice", "--key", "k"],
  ["open", "--key=k", "--", "--limit"],
  ["--limit", "3", "open"],
  ["break", "--limit"],
])("%s %s %s… is for the command to judge", (...args) => expect(stray(...args)).toBeNull());

test.each([
  [["open", "--limit", "3"], "--limit"],
  [["list", "--key", "k", "--twice"], "--twice"],
  [["fill", "--wit"], "--wit"],
])("of %j one option is not offered", (args, option) => expect(stray(...args)).toBe(option));
