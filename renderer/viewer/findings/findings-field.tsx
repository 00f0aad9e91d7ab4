import "./findings.css";
import { useState } from "react";
import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { findingsBlocks, type FindingsBlock } from "../../../core/cardiac/findings/findings-text.ts";
import { hasScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { Menu } from "../../ui/menu.tsx";
import { CatAidDialog } from "./cat-aid-dialog.tsx";
import { showToast } from "../../ui/notes/toasts.ts";
import { StageB2Dialog } from "./stage-b2-dialog.tsx";
import { addFindings, maxLetters } from "./unsaved-findings.ts";
import { useFindingsBlocks } from "./use-findings.ts";

export function FindingsField({
  film,
  reading,
  text: written,
  onChange,
  onSave,
}: {
  readonly film: Film;
  readonly reading: Reading | null;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Saves a version with the same values and the current text; null while the text is unchanged. */
  readonly onSave: (() => void) | null;
}) {
  const text = useText();
  // A rejected reading provides no values, as in the report.
  const scored = reading && hasScore(reading) ? reading : null;
  const blocksOf = useFindingsBlocks(film, scored);
  const [isAsking, setAsking] = useState(false);
  const add = (more: string) => addFindings(film.id, reading, more);
  const put = (blocks: readonly FindingsBlock[]) =>
    attempt(async () => {
      const more = await blocksOf(blocks);
      if (more !== "") return add(more);
      // Only trend and comparison can be empty; size, atrium and quality always have a text.
      showToast("note", (say) => say(blocks[0] === "trend" ? "findings.none_trend" : "findings.none_comparison"));
    });
  const isDog = comparedAnimal(film.patient, film.dicom?.patient ?? null).species === "dog";
  return (
    <div className="findings">
      <div className="findings-insert">
        <Menu
          entries={[
            { label: text("findings.all"), onChoose: () => put(findingsBlocks) },
            "line",
            ...findingsBlocks.map((block) => ({
              label: text(`findings.block_${block}`),
              onChoose: () => put([block]),
            })),
            "line" as const,
            {
              label: isDog
                ? text("common.opensDialog", { label: text("findings.b2_title") })
                : text("findings.stage_cat"),
              onChoose: () => setAsking(true),
            },
          ]}
        >
          <Button icon="plus" tone="plain" disabled={scored === null}>
            {text("findings.insert")}
          </Button>
        </Menu>
      </div>
      <TextArea
        label={text("result.remark")}
        value={written}
        maxLength={maxLetters}
        rows={written === "" ? 2 : 5}
        onChange={(event) => onChange(event.target.value)}
      />
      {onSave && <Button onClick={onSave}>{text("findings.save")}</Button>}
      {isAsking && isDog && (
        <StageB2Dialog film={film} reading={scored} onInsert={add} onClose={() => setAsking(false)} />
      )}
      {isAsking && !isDog && <CatAidDialog reading={scored} onClose={() => setAsking(false)} />}
    </div>
  );
}
