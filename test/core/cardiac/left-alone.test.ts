import { expect, test } from "vitest";
import { reasonToLeaveAlone, type StatedView } from "../../../core/cardiac/left-alone.ts";

const lateral: StatedView = { isRadiograph: true, species: "dog", viewPosition: "LL", bodyPart: "CHEST" };

test.each([
  [{}, null],
  [{ viewPosition: null, bodyPart: null, species: null }, null],
  [{ viewPosition: "Left Lateral" }, null],
  [{ viewPosition: "LLD" }, null],
  [{ viewPosition: "vd" }, "view"],
  [{ viewPosition: "DORSOVENTRAL" }, "view"],
  [{ viewPosition: "V/D" }, "view"],
  [{ viewPosition: "D-V" }, "view"],
  [{ viewPosition: "THORAX VD" }, "view"],
  [{ viewPosition: "THORAX LL" }, null],
  [{ viewPosition: "L/L" }, null],
  [{ viewPosition: "mediolateral" }, "view"],
  [{ bodyPart: "PELVIS" }, "body_part"],
  [{ bodyPart: "CHESTABDOMEN" }, null],
  [{ species: "cat" }, null],
  [{ species: "other" }, "species"],
  [{ isRadiograph: false }, "not_a_radiograph"],
] as const)("maps a film with %j to %s", (change, reason) =>
  expect(reasonToLeaveAlone({ ...lateral, ...change })).toBe(reason),
);
