import type { Point } from "../cardiac/points.ts";
import { angle } from "./angle.ts";
import type { AnnotationTool } from "./annotation-tool.ts";
import { arrow } from "./arrow.ts";
import { ellipse } from "./ellipse.ts";
import { length } from "./length.ts";
import { note } from "./note.ts";
import { polygon } from "./polygon.ts";

const registered = [length, angle, ellipse, polygon, note, arrow] as const satisfies readonly AnnotationTool[];

export type AnnotationToolName = (typeof registered)[number]["name"];

export type KnownTool = AnnotationTool & { readonly name: AnnotationToolName };

/** All tools in the order of the toolbar. */
export const annotationTools: readonly KnownTool[] = registered;

export const annotationToolNames = registered.map(({ name }) => name);

/** An annotation of a film; points in pixels of the picture on which it was drawn. */
export type Annotation = {
  readonly id: string;
  readonly tool: AnnotationToolName;
  readonly points: readonly Point[];
  readonly text: string;
};

export function toolOf(name: AnnotationToolName): KnownTool {
  return annotationTools.find((tool) => tool.name === name) as KnownTool;
}

export function hasPointsFor(name: AnnotationToolName, count: number): boolean {
  const { least, most } = toolOf(name).points;
  return count >= least && count <= most;
}
