import { createRequire } from "node:module";
import type dcmjs from "dcmjs";

const require = createRequire(import.meta.url);

/** dcmjs, loaded when it is first asked for: it is large, and the start of the program needs none of it. */
export function dicomLibrary(): (typeof dcmjs)["data"] {
  return (require("dcmjs") as typeof dcmjs).data;
}
