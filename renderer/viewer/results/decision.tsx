import { useEffect, useState } from "react";
import type { Film, Reading, Verdict } from "../../../core/contract/desktop/films.ts";
import { useProgram } from "../../state/program.ts";
import { attempt } from "../../state/faults.ts";
import { useNavigation } from "../../state/navigation.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { useToasts } from "../../ui/toasts.tsx";
import { rememberSignature, saveReading, useCorrection } from "../correction/correction-slice.ts";
import { geometryOf } from "../../film/draft.ts";

/** What a person does with a measurement: accept, reject, correct, or measure by hand. Each is signed. */
export function Decision({ film, reading }: { readonly film: Film; readonly reading: Reading | null }) {
  const text = useText();
  const userName = useProgram((state) => state.settings?.userName ?? "");
  const saveSettings = useProgram((state) => state.save);
  const { mode, stack, correct, byHand, save, shift } = useCorrection();
  const leave = useNavigation((state) => state.leave);
  const [typedName, setTypedName] = useState<string | null>(null);
  const who = typedName ?? userName;
  // A remark belongs to the reading it was typed for and does not travel to the next film.
  const remarkKey = `${film.id}/${reading?.id ?? ""}`;
  const [typed, setTyped] = useState({ key: remarkKey, text: "" });
  const remark = typed.key === remarkKey ? typed.text : "";
  const [isNameMissing, setNameMissing] = useState(false);
  useEffect(() => rememberSignature({ who, remark }), [who, remark]);

  const isWorking = mode !== "none";
  const canSave = isWorking && geometryOf(stack.present) !== null && stack.past.length > 0;
  const canDecide = Boolean(reading?.heart);
  const isBusy = film.state === "queued" || film.state === "measuring";
  const signed = (write: () => Promise<boolean>) => {
    setNameMissing(who.trim() === "");
    if (who.trim() === "") return;
    attempt(async () => {
      if (!(await write())) return;
      useToasts.getState().show("note", text("result.saved"));
      if (who.trim() !== userName) await saveSettings({ userName: who.trim() });
    });
  };
  const decide = (verdict: Verdict) => signed(() => saveReading(verdict, { who, remark }, null));
  const startByHand = () => leave(() => byHand(film.frame));
  const startCorrecting = () => reading && canDecide && leave(() => correct(reading));
  const startShifted = (direction: "cranial" | "caudal") => {
    if (reading) leave(() => (correct(reading), shift(direction)));
  };
  useCommands({
    ...(canDecide &&
      !isWorking && {
        "correct.start": () => void startCorrecting(),
        "correct.shiftCranial": () => startShifted("cranial"),
        "correct.shiftCaudal": () => startShifted("caudal"),
      }),
    ...(!isBusy && !isWorking && film.hasImage && { "correct.byHand": startByHand }),
    ...(canSave && { "correct.save": () => signed(() => save({ who, remark })) }),
  });

  return (
    <div className="decision">
      <TextField
        label={text("result.signedBy")}
        value={who}
        maxLength={100}
        fault={isNameMissing && who.trim() === "" ? text("result.whoMissing") : null}
        onChange={(event) => setTypedName(event.target.value)}
      />
      <TextField
        label={text("result.remark")}
        value={remark}
        maxLength={2000}
        onChange={(event) => setTyped({ key: remarkKey, text: event.target.value })}
      />
      <div className="buttons">
        {isWorking ? (
          <Button
            tone="primary"
            className="span-2"
            disabled={!canSave}
            onClick={() => signed(() => save({ who, remark }))}
          >
            {text("viewer.saveReading")}
          </Button>
        ) : (
          <>
            <Button tone="primary" icon="check" disabled={!canDecide} onClick={() => decide("accepted")}>
              {text("result.accept")}
            </Button>
            <Button icon="hand" disabled={!canDecide} onClick={startCorrecting}>
              {text("result.correct")}
            </Button>
            <Button icon="close" disabled={!canDecide} onClick={() => decide("rejected")}>
              {text("result.reject")}
            </Button>
            <Button icon="ruler" disabled={isBusy || !film.hasImage} onClick={startByHand}>
              {text("result.byHand")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
