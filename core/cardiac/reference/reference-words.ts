import type { Say } from "../../language/say.ts";
import type { ReferenceSource } from "./reference-range.ts";

/** A source in parts that follow each other: where it was printed, its identifier, and what there is to say of it. */
export function sourceParts({ citation, identifier, remark }: ReferenceSource, say: Say): readonly string[] {
  const said = [citation, identifier, remark && say(`reference.source_${remark}`)];
  return said.filter((part) => part !== null);
}
