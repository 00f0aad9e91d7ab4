import type { AxisName, HeartLandmarkName } from "../landmarks.ts";
import type { Measure } from "./measure.ts";
import { rlad } from "./rlad.ts";
import { vhs } from "./vhs.ts";
import { vlas } from "./vlas.ts";

const registered = [vhs, vlas, rlad] as const satisfies readonly Measure[];

type Registered = (typeof registered)[number];
type ByHand = Extract<Registered, { readonly placedBy: "person" }>;
type OwnPoint<Of> = Of extends { readonly line: { readonly point: infer Name extends string } } ? Name : never;

export type MeasureName = Registered["name"];
export type NetworkMeasureName = Exclude<MeasureName, HandMeasureName>;
export type HandMeasureName = ByHand["name"];
export type HandPointName = OwnPoint<ByHand>;
export type HeartPointName = HeartLandmarkName | HandPointName;

export type KnownMeasure = Measure & {
  readonly name: MeasureName;
  readonly line: (Measure["line"] & { readonly point: Exclude<HeartPointName, AxisName> }) | null;
};

/** All measures, in display order. */
export const measures: readonly KnownMeasure[] = registered;

export const networkMeasures = measures.filter(
  (measure): measure is KnownMeasure & { readonly name: NetworkMeasureName } => measure.placedBy === "networks",
);

/** One value per measure [v]; null if it could not be measured, absent if it was not placed. */
export type PerMeasure<Value> = { readonly [Name in NetworkMeasureName]: Value } & {
  readonly [Name in HandMeasureName]?: Value | undefined;
};
/** Values of one reading [v], unrounded. */
export type MeasureValues = PerMeasure<number | null>;

/** Builds a value for each measure. A measure for which `of` returns undefined is absent. */
export function perMeasure<Value>(of: (measure: KnownMeasure) => Value | undefined): PerMeasure<Value> {
  const values = measures.map((measure) => [measure.name, of(measure)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as PerMeasure<Value>;
}

/** Builds a value for each measure: null for a missing measure of the networks, absent for other missing ones. */
export function valuesOf<Value>(of: (measure: KnownMeasure) => Value | null | undefined): PerMeasure<Value | null> {
  return perMeasure((measure) => of(measure) ?? (measure.placedBy === "networks" ? null : undefined));
}
