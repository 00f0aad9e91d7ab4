import { useEffect, useRef, useState } from "react";
import type { Film, Reading, Verdict } from "../../../core/contract/desktop/films.ts";
import { useProgram } from "../../state/program.ts";
import { useMay, usePeople } from "../../state/people.ts";
import { attempt } from "../../state/faults.ts";
import { useWrittenFindings, writtenOn } from "../../state/films/written-findings.ts";
import { useNavigation } from "../../state/navigation.ts";
import { KeyedButton } from "../../ui/keys/keyed-button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { useToasts } from "../../ui/notes/toasts.tsx";
import { isChanged, saveReading, useCorrection } from "../correction/correction-slice.ts";
import { signWith, type Signature } from "../correction/signing.ts";
import { geometryOf, handlesOf } from "../../film/draft.ts";
import { FindingsField } from "../findings/findings-field.tsx";
import { saveAgain } from "../findings/save-again.ts";
import { changeFindings, forgetSaved, keptFindings } from "../findings/unsaved-findings.ts";

type Write = (signature: Signature) => Promise<boolean>;

/** What a person does with a measurement: accept, reject, correct, or measure by hand. Each is signed. */
export function Decision({
  film,
  reading,
  original,
}: {
  readonly film: Film;
  readonly reading: Reading | null;
  /** The networks' reading where another one counts. */
  readonly original: Reading | null;
}) {
  const text = useText();
  const userName = useProgram((state) => state.settings?.userName ?? "");
  const saveSettings = useProgram((state) => state.save);
  const { mode, stack, start, correct, byHand, save, shift } = useCorrection();
  const leave = useNavigation((state) => state.leave);
  const [typedName, setTypedName] = useState<string | null>(null);
  const session = usePeople((state) => state.session);
  const maySign = useMay("sign");
  const signedIn = session?.isOn ? (session.me?.name ?? "") : null;
  const who = signedIn ?? typedName ?? userName;
  const written = useWrittenFindings((state) => writtenOn(state, film.id));
  const kept = keptFindings(reading);
  const remark = written ?? kept;
  const [isNameMissing, setNameMissing] = useState(false);

  // What of which film waits for a name: Enter in the field goes on with it.
  const unsigned = useRef<{ readonly filmId: string; readonly write: Write } | null>(null);
  const writing = useRef<string | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const savedHere = useRef<{ readonly filmId: string; readonly before: string | null } | null>(null);
  const isWorking = mode !== "none";
  const canSave = isWorking && geometryOf(stack.present) !== null && isChanged({ stack, start });
  const canDecide = Boolean(reading?.heart);
  // What waited for a name was meant of what was seen then.
  useEffect(() => {
    unsigned.current = null;
  }, [mode, reading?.id]);
  // The button that saved is gone: a second Enter must not decide about what it has just written. The version may come
  // a moment later.
  useEffect(() => {
    const saved = savedHere.current;
    if (isWorking || saved?.filmId !== film.id || saved.before === (reading?.id ?? null)) return;
    const version = buttons.current?.closest(".panel")?.querySelector<HTMLElement>(".version.counts");
    if (!version) return;
    savedHere.current = null;
    version.focus();
  });
  const isBusy = film.state === "queued" || film.state === "measuring";
  const sign = async (write: Write) => {
    // A button that is pressed twice means it once.
    if (writing.current === film.id) return;
    const isUnsigned = who.trim() === "";
    setNameMissing(isUnsigned);
    unsigned.current = isUnsigned ? { filmId: film.id, write } : null;
    if (isUnsigned) return nameField.current?.focus();
    writing.current = film.id;
    const isSaved = await write({ who, remark }).finally(() => (writing.current = null));
    if (!isSaved) return;
    forgetSaved(film.id, remark);
    nameField.current?.blur();
    useToasts.getState().show("note", (say) => say("result.saved"));
    if (signedIn === null && who.trim() !== userName) await saveSettings({ userName: who.trim() });
  };
  useEffect(() => signWith(sign));
  const signed = (write: Write) => attempt(() => sign(write));
  const saveHere = async (signature: Signature) => {
    const hasKeyboard = buttons.current?.contains(document.activeElement);
    savedHere.current = hasKeyboard ? { filmId: film.id, before: reading?.id ?? null } : null;
    const isSaved = await save(signature);
    if (!isSaved) savedHere.current = null;
    return isSaved;
  };
  const goOn = () => {
    if (unsigned.current?.filmId === film.id) signed(unsigned.current.write);
  };
  const decide = (verdict: Verdict) => signed((signature) => saveReading(verdict, signature, null));
  const saveFindings = () => reading && signed((signature) => saveAgain(reading, signature));
  const canMeasure = !isBusy && film.hasImage;
  const startByHand = () => leave(() => byHand(film));
  const model = original ?? (reading?.source === "model" ? reading : null);
  const startCorrecting = (isPressedByKey = false) => {
    if (!reading || !canDecide) return;
    leave(() => {
      correct(reading, model);
      // The button that had the keyboard is gone.
      if (isPressedByKey) selectFirst();
    });
  };
  const startShifted = (direction: "cranial" | "caudal") => {
    if (reading) leave(() => (correct(reading, model), shift(direction)));
  };
  useCommands({
    ...(maySign &&
      canDecide &&
      !isWorking && {
        "correct.accept": () => decide("accepted"),
        "correct.reject": () => decide("rejected"),
        "correct.start": () => startCorrecting(),
        "correct.shiftCranial": () => startShifted("cranial"),
        "correct.shiftCaudal": () => startShifted("caudal"),
      }),
    ...(maySign && canMeasure && !isWorking && { "correct.byHand": startByHand }),
    ...(canSave && { "correct.save": () => signed(save) }),
  });

  if (!maySign) return <p className="decision quiet">{text("people.mayNotSign")}</p>;
  return (
    <div className="decision">
      {signedIn === null ? (
        <TextField
          ref={nameField}
          label={text("result.signedBy")}
          value={who}
          maxLength={100}
          fault={isNameMissing && who.trim() === "" ? text("result.whoMissing") : null}
          onChange={(event) => setTypedName(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && goOn()}
        />
      ) : (
        <p className="quiet">{text("people.signsAs", { name: signedIn })}</p>
      )}
      <FindingsField
        // What is being asked of one heart is not asked of the next.
        key={film.id}
        film={film}
        original={original}
        // Building blocks say what is stored: not while points are moved.
        reading={isWorking ? null : reading}
        text={remark}
        onChange={(next) => changeFindings(film.id, kept, next)}
        onSave={!isWorking && reading?.source === "person" && remark !== kept ? saveFindings : null}
      />
      <div ref={buttons} className="buttons">
        {isWorking ? (
          <KeyedButton
            key="save"
            command="correct.save"
            tone="primary"
            className="span-2"
            disabled={!canSave}
            onClick={() => signed(saveHere)}
          />
        ) : (
          <>
            <KeyedButton
              command="correct.accept"
              tone="primary"
              icon="check"
              disabled={!canDecide}
              onClick={() => decide("accepted")}
            />
            <KeyedButton
              command="correct.start"
              icon="hand"
              disabled={!canDecide}
              onClick={({ detail }) => startCorrecting(detail === 0)}
            />
            <KeyedButton
              command="correct.reject"
              icon="close"
              disabled={!canDecide}
              onClick={() => decide("rejected")}
            />
            <KeyedButton command="correct.byHand" icon="ruler" disabled={!canMeasure} onClick={startByHand} />
          </>
        )}
      </div>
    </div>
  );
}

function selectFirst(): void {
  const { stack, select } = useCorrection.getState();
  select(handlesOf(stack.present)[0] ?? null);
}
