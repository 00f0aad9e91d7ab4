import { usgFeatures, type FeatureKey } from "../../core/usg/features.ts";
import { attempt } from "../state/faults.ts";
import { useProgram } from "../state/program.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/empty.tsx";
import { TextArea } from "../ui/fields/field.tsx";
import { Form } from "../ui/fields/form.tsx";
import { useLanguage, useText } from "../ui/language/language.ts";
import { signsOf } from "./units/typed-quantity.ts";
import { isTaken } from "./units/units.ts";
import { ValueField } from "./value-field.tsx";
import { useUsg, type Pasted } from "./usg-slice.ts";

export function ScreeningForm({ patientId }: { readonly patientId: string | null }) {
  const text = useText();
  const { entries, row, pasted, fault, pending, screen, clear, writeRow, readRow } = useUsg();
  const clinicCode = useProgram((state) => state.settings?.clinicCode ?? "");
  const locale = useLanguage((state) => state.locale);
  const isComplete = usgFeatures.every(({ key }) => isTaken(key, entries[key]));
  const read = (copied: string) => readRow(copied, signsOf(locale));
  return (
    <Form
      className="card stack"
      onSubmit={() => attempt(() => screen(patientId, clinicCode || null))}
      aria-label={text("usg.values")}
    >
      <h2>{text("usg.values")}</h2>
      {usgFeatures.map(({ key }) => (
        <ValueField key={key} feature={key} />
      ))}
      {fault && <Notice tone="fault">{fault}</Notice>}
      <div className="row no-print">
        <Button type="submit" tone="primary" disabled={!isComplete} isBusy={pending !== null}>
          {text("usg.screen")}
        </Button>
        <Button tone="plain" onClick={clear}>
          {text("usg.clear")}
        </Button>
      </div>
      <div className="stack no-print">
        <TextArea
          label={text("usg.paste")}
          note={text("usg.pasteNote")}
          rows={2}
          value={row}
          onChange={(event) => writeRow(event.target.value)}
          onPaste={(event) => {
            event.preventDefault();
            read(event.clipboardData.getData("text"));
          }}
          // Text that has already been read does not overwrite later input.
          onBlur={() => row.trim() && row !== pasted?.row && read(row)}
        />
        {pasted && <PasteNotice {...pasted} />}
      </div>
    </Form>
  );
}

function PasteNotice({ missing, limits, left }: Pasted) {
  const text = useText();
  const names = (keys: readonly FeatureKey[]) => keys.map((key) => text(`usg.feature_${key}`)).join(" · ");
  return (
    <div role="status">
      <Notice tone="review">
        <p>{text("usg.pasteMissing", { names: names(missing) })}</p>
        {limits.length > 0 && <p>{text("usg.pasteLimits", { names: names(limits) })}</p>}
        {left.length > 0 && <p>{text("usg.pasteLeft", { names: names(left) })}</p>}
      </Notice>
    </div>
  );
}
