import { describeSwitchKills } from "./switch-kills.ts";

const steps = [
  ["copied", 1],
  ["noted", 1],
  ["replaced", 1],
  ["stored", 1],
  ["film", 2],
  ["copies", 1],
] as const;

describeSwitchKills(steps.flatMap(([step, times]) => [true, false].map((isOn) => [step, times, isOn] as const)));
