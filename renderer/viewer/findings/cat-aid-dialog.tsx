import { catCaution, catStagingLines } from "../../../core/cardiac/findings/staging-aid.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { StagingLines } from "./staging-lines.tsx";
import { UnvalidatedNote } from "../../ui/unvalidated-note.tsx";

/** The published test of the VHS for a cat in respiratory distress, with its caution. */
export function CatAidDialog({ reading, onClose }: { readonly reading: Reading | null; readonly onClose: () => void }) {
  const text = useText();
  const format = useFormat();
  return (
    <Dialog
      isOpen
      isWide
      title={text("findings.stage_catTitle")}
      description={text("findings.stage_about")}
      onClose={onClose}
      foot={
        <Button tone="primary" onClick={onClose}>
          {text("common.close")}
        </Button>
      }
    >
      <div className="stack">
        <StagingLines lines={catStagingLines(reading?.score?.vhs ?? null)} />
        <p>
          {text("findings.stage_catCaution", {
            percent: format.number(catCaution.percent, 0),
            source: catCaution.source,
          })}
        </p>
        <UnvalidatedNote />
      </div>
    </Dialog>
  );
}
