import type { Point } from "../../../../core/cardiac/points.ts";
import { codeItem, codeSequence, type Code } from "./codes.ts";
import { dateTime, numbers, personName, sequence, text, uid, words, type DataSet } from "../data-set.ts";
import type { ReferencedFilm } from "../result-subject.ts";

export type Relationship =
  | "CONTAINS"
  | "HAS OBS CONTEXT"
  | "HAS CONCEPT MOD"
  | "HAS PROPERTIES"
  | "HAS ACQ CONTEXT"
  | "INFERRED FROM"
  | "SELECTED FROM";

export function container(relationship: Relationship, name: Code, children: readonly DataSet[], at?: Date): DataSet {
  return {
    ...item(relationship, "CONTAINER", name),
    "0040A050": words("SEPARATE"),
    ...(at && { "0040A032": dateTime(at) }),
    ...content(children),
  };
}

export function rootContainer(name: Code, children: readonly DataSet[]): DataSet {
  return { ...item(null, "CONTAINER", name), "0040A050": words("SEPARATE"), ...content(children) };
}

export function textItem(relationship: Relationship, name: Code, value: string): DataSet {
  return { ...item(relationship, "TEXT", name), "0040A160": text("UT", value) };
}

export function codedItem(
  relationship: Relationship,
  name: Code,
  value: Code,
  children: readonly DataSet[] = [],
): DataSet {
  return { ...item(relationship, "CODE", name), "0040A168": codeSequence(value), ...content(children) };
}

export function uidItem(relationship: Relationship, name: Code, value: string): DataSet {
  return { ...item(relationship, "UIDREF", name), "0040A124": uid(value) };
}

export function personItem(relationship: Relationship, name: Code, value: string): DataSet {
  return { ...item(relationship, "PNAME", name), "0040A123": personName(value) };
}

export function dateTimeItem(relationship: Relationship, name: Code, value: Date): DataSet {
  return { ...item(relationship, "DATETIME", name), "0040A120": dateTime(value) };
}

/** A measured value; the additional binary form keeps the digits beyond the 16 characters of DS. */
export function numberItem(
  relationship: Relationship,
  name: Code,
  value: number,
  unit: Code,
  children: readonly DataSet[] = [],
): DataSet {
  const measured = {
    "0040A30A": numbers("DS", value),
    "0040A161": numbers("FD", value),
    "004008EA": sequence(codeItem(unit)),
  };
  return { ...item(relationship, "NUM", name), "0040A300": sequence(measured), ...content(children) };
}

/** Points on the film: columns and rows from the corner of the upper left pixel, whose centre is 0.5\0.5. */
export function placesItem(
  relationship: Relationship,
  name: Code | null,
  points: readonly Point[],
  film: ReferencedFilm,
): DataSet {
  return {
    ...item(relationship, "SCOORD", name),
    "00700022": numbers("FL", ...points.flatMap(({ x, y }) => [x + 0.5, y + 0.5])),
    "00700023": words(points.length === 1 ? "POINT" : "POLYLINE"),
    ...content([imageItem("SELECTED FROM", film)]),
  };
}

export function imageItem(
  relationship: Relationship,
  film: ReferencedFilm,
  children: readonly DataSet[] = [],
): DataSet {
  return { ...item(relationship, "IMAGE", null), "00081199": sequence(imageReference(film)), ...content(children) };
}

export function imageReference({ sopClassUid, sopInstanceUid, frameNumber }: ReferencedFilm): DataSet {
  return {
    "00081150": uid(sopClassUid),
    "00081155": uid(sopInstanceUid),
    ...(frameNumber !== null && { "00081160": numbers("IS", frameNumber) }),
  };
}

function item(relationship: Relationship | null, valueType: string, name: Code | null): DataSet {
  return {
    ...(relationship && { "0040A010": words(relationship) }),
    "0040A040": words(valueType),
    ...(name && { "0040A043": codeSequence(name) }),
  };
}

function content(children: readonly DataSet[]): DataSet {
  return children.length === 0 ? {} : { "0040A730": sequence(...children) };
}
