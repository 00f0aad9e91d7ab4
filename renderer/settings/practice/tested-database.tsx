import type { TestedDatabase } from "../../../core/contract/desktop/practice/database.ts";
import { Notice } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";

export function Tested({ tested, present }: { readonly tested: TestedDatabase; readonly present: string }) {
  const text = useText();
  const { outcome, detail, isUsable } = tested;
  const found = text(`database.outcome_${outcome}`, { detail });
  if (!isUsable) return <Notice tone="fault">{found}</Notice>;
  return (
    <div role="status" className="stack">
      <p>{found}</p>
      <PresentData tested={tested} present={present} />
    </div>
  );
}

export function PresentData({ tested, present }: { readonly tested: TestedDatabase; readonly present: string }) {
  const text = useText();
  if (tested.present === "none") return null;
  if (tested.present === "stays") return <p>{text("database.present_stays", { present })}</p>;
  return (
    <>
      <p>{text("database.present_copy")}</p>
      <output className="data command">{tested.copyCommand}</output>
    </>
  );
}
