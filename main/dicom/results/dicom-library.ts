import { createRequire } from "node:module";
import type dcmjs from "dcmjs";

const require = createRequire(import.meta.url);

/** Loads dcmjs on first use, since it is large and the program starts without it. */
export function dicomLibrary(): (typeof dcmjs)["data"] {
  return (require("dcmjs") as typeof dcmjs).data;
}
