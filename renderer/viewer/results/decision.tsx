import { useEffect, useRef, useState } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { rejectionReasons, type RejectionReason } from "../../../core/cardiac/verdict/verdict-facts.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { usePermission } from "../../state/people.ts";
import { attempt } from "../../state/faults.ts";
import { useWrittenFindings, writtenOn } from "../../state/films/written-findings.ts";
import { useFilms } from "../../state/films/films.ts";
import { useIsHidden } from "../../state/films/reader-mode.ts";
import { useNavigation } from "../../state/navigation.ts";
import { KeyedButton } from "../../ui/keys/keyed-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useText } from "../../ui/language/language.ts";
import { runCommand, useCommands } from "../../ui/keys/shortcuts.ts";
import { saveReading, useCorrection } from "../correction/correction-slice.ts";
import { isChanged } from "../correction/correction-state.ts";
import { useSignedInName, useSigner, useSigning, type Signature } from "../correction/signing.ts";
import { useViewer } from "../viewer-slice.ts";
import { geometryOf, handlesOf } from "../../film/draft/draft.ts";
import { FindingsField } from "../findings/findings-field.tsx";
import { saveAgain } from "../findings/save-again.ts";
import { changeFindings, keptFindings } from "../findings/unsaved-findings.ts";
import { countDecided, isDecisionRun } from "./decision-run.ts";

type Write = (signature: Signature) => Promise<boolean>;

export function Decision({
  film,
  reading,
  original,
}: {
  readonly film: Film;
  readonly reading: Reading | null;
  readonly original: Reading | null;
}) {
  const text = useText();
  const { correct, byHand, save, shift } = useCorrection.getState();
  const mode = useCorrection((state) => state.mode);
  const stack = useCorrection((state) => state.stack);
  const start = useCorrection((state) => state.start);
  const leave = useNavigation((state) => state.leave);
  const maySign = usePermission("sign");
  const signedIn = useSignedInName();
  const who = useSigner();
  const { unsigned, typeName, sign, dropUnsigned } = useSigning();
  const written = useWrittenFindings((state) => writtenOn(state, film.id));
  const kept = keptFindings(reading);
  const remark = written ?? kept;
  const nameField = useRef<HTMLInputElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const decidedId = useRef<string | null>(null);
  const savedHere = useRef<{ readonly filmId: string; readonly before: string | null } | null>(null);
  const isWorking = mode !== "none";
  const canSave = isWorking && geometryOf(stack.present) !== null && isChanged({ stack, start });
  // A film whose file is missing cannot be judged.
  const isMissing = useViewer((state) => state.loading === "missing");
  const canDecide = Boolean(reading?.heart) && !isMissing;
  // A decision that waits for a name applies only to the reading and points shown when it was made.
  useEffect(() => dropUnsigned(), [mode, reading?.id, film.id, dropUnsigned]);
  useEffect(() => {
    if (unsigned) nameField.current?.focus();
  }, [unsigned]);
  // The save button has been removed. Focusing the saved version keeps a second Enter from making a decision.
  useEffect(() => {
    const saved = savedHere.current;
    if (isWorking || saved?.filmId !== film.id || saved.before === (reading?.id ?? null)) return;
    const version = buttons.current?.closest(".panel")?.querySelector<HTMLElement>(".version.counts");
    if (!version) return;
    savedHere.current = null;
    version.focus();
  });
  const [isRejecting, setRejecting] = useState(false);
  // Unsaved findings may state the networks' values.
  const isHidden = useIsHidden(film);
  // A reading that reader mode hides can be rejected too.
  const isKnown = useFilms(({ readings }) => readings.length > 0);
  const isBusy = film.state === "queued" || film.state === "measuring";
  const signed = (write: Write) =>
    attempt(async () => {
      if (!(await sign(write))) return;
      nameField.current?.blur();
      // Another film may be opened only now, when signing has ended.
      const isOpen = decidedId.current !== null && decidedId.current === useFilms.getState().openId;
      decidedId.current = null;
      if (isOpen && isDecisionRun()) runCommand("films.next");
    });
  const saveHere = async (signature: Signature) => {
    const hasKeyboard = buttons.current?.contains(document.activeElement);
    savedHere.current = hasKeyboard ? { filmId: film.id, before: reading?.id ?? null } : null;
    const isSaved = await save(signature);
    if (!isSaved) savedHere.current = null;
    return isSaved;
  };
  const saveUnsigned = () => {
    if (unsigned?.filmId === film.id) signed(unsigned.write);
  };
  const decided = async (isSaved: Promise<boolean>) => {
    if (!(await isSaved)) return false;
    countDecided(film.id);
    decidedId.current = film.id;
    return true;
  };
  const accept = () => signed((signature) => decided(saveReading("accepted", signature, null)));
  const reject = (reason: RejectionReason) =>
    signed((signature) => decided(saveReading("rejected", signature, null, { rejectionReason: reason })));
  const saveFindings = () => reading && signed((signature) => saveAgain(reading, signature));
  // A film without a measurement can be rejected too.
  const canReject = !isBusy && (isKnown || film.reading === null) && !isMissing;
  const canMeasure = !isBusy && film.hasImage && !isMissing;
  const startByHand = () => leave(() => byHand(film));
  const model = original ?? (reading?.source === "model" ? reading : null);
  const startCorrecting = (isPressedByKey = false) => {
    if (!reading || !canDecide) return;
    leave(() => {
      correct(reading, model);
      // The focused button has been removed, so the first point is selected instead.
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
        "correct.accept": accept,
        "correct.start": () => startCorrecting(),
        "correct.shiftCranial": () => startShifted("cranial"),
        "correct.shiftCaudal": () => startShifted("caudal"),
      }),
    ...(maySign && canReject && !isWorking && { "correct.reject": () => setRejecting(true) }),
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
          fault={unsigned && who.trim() === "" ? text("result.whoMissing") : null}
          onChange={(event) => typeName(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && saveUnsigned()}
        />
      ) : (
        <p className="quiet">{text("people.signsAs", { name: signedIn })}</p>
      )}
      {!isHidden && (
        <FindingsField
          // A dialog about one film must not stay open for the next.
          key={film.id}
          film={film}
          // Text blocks use the stored reading, so none are offered while points are being moved.
          reading={isWorking ? null : reading}
          text={remark}
          onChange={(next) => changeFindings(film.id, kept, next)}
          onSave={!isWorking && reading?.source === "person" && remark !== kept ? saveFindings : null}
        />
      )}
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
            <KeyedButton command="correct.accept" tone="primary" icon="check" disabled={!canDecide} onClick={accept} />
            <KeyedButton
              command="correct.start"
              icon="hand"
              disabled={!canDecide}
              onClick={({ detail }) => startCorrecting(detail === 0)}
            />
            <Menu
              entries={rejectionReasons.map((reason) => ({
                label: text(`result.rejection_${reason}`),
                onChoose: () => reject(reason),
              }))}
              open={isRejecting}
              onOpenChange={setRejecting}
            >
              <KeyedButton command="correct.reject" icon="close" disabled={!canReject} />
            </Menu>
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
