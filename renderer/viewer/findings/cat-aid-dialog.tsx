import { catCaution, catStagingLines } from "../../../core/cardiac/findings/staging-aid.ts";
import { shownAxes } from "../../../core/cardiac/shown-score.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { UnvalidatedNote } from "../../state/upkeep/unvalidated-note.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Notice } from "../../ui/empty.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { StagingLines } from "./staging-lines.tsx";

/** Published VHS test (long plus short axis) for a cat in respiratory distress, with its caution. */
export function CatAidDialog({ reading, onClose }: { readonly reading: Reading | null; readonly onClose: () => void }) {
  const text = useText();
  const format = useFormat();
  const score = reading?.score ?? null;
  const axes = score && shownAxes(score);
  return (
    <Dialog
      isOpen
      isWide
      title={text("findings.stage_catTitle")}
      description={text("findings.stage_about")}
      foot={
        <Button tone="primary" onClick={onClose}>
          {text("common.close")}
        </Button>
      }
      onClose={onClose}
    >
      {score && axes && (
        <p>
          {text("findings.stage_catAxes", {
            long: format.score(axes.long),
            short: format.score(axes.short),
            vhs: format.score(score.vhs),
          })}
        </p>
      )}
      <StagingLines lines={catStagingLines(score?.vhs ?? null)} />
      <Notice tone="review">
        {text("findings.stage_catCaution", {
          percent: format.number(catCaution.percent, 0),
          source: catCaution.source,
        })}
      </Notice>
      <UnvalidatedNote />
    </Dialog>
  );
}
