import { useRef, type ComponentProps } from "react";
import { usePermission } from "../../state/people.ts";
import { useWrittenFindings, writtenOn } from "../../state/films/written-findings.ts";
import { useIsHidden } from "../../state/films/reader-mode.ts";
import { useText } from "../../ui/language/language.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { FindingsField } from "../findings/findings-field.tsx";
import { saveAgain } from "../findings/save-again.ts";
import { changeFindings, keptFindings } from "../findings/unsaved-findings.ts";
import { DecisionButtons } from "./decision-buttons.tsx";
import { SaveButton } from "./save-button.tsx";
import { SignerField } from "./signer-field.tsx";
import { useFocusOnSaved } from "./use-focus-on-saved.ts";
import { useSignedWrites, type SignedWrites } from "./use-signed-writes.ts";

type DecisionProps = Omit<ComponentProps<typeof DecisionButtons>, "decide">;

export function Decision(props: DecisionProps) {
  const text = useText();
  const maySign = usePermission("sign");
  return maySign ? <DecisionForm {...props} /> : <p className="decision quiet">{text("people.mayNotSign")}</p>;
}

function DecisionForm({ film, reading, original }: DecisionProps) {
  const nameField = useRef<HTMLInputElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const { signed, decide } = useSignedWrites(film, reading, nameField);
  const focusesSaved = useFocusOnSaved(film.id, reading, buttons);
  const isWorking = useCorrection(({ mode }) => mode !== "none");
  // Unsaved findings may state the networks' values.
  const isHidden = useIsHidden(film);
  return (
    <div className="decision">
      <SignerField filmId={film.id} nameField={nameField} signed={signed} />
      {/* A dialog about one film must not stay open for the next. */}
      {!isHidden && <Findings key={film.id} film={film} reading={reading} isWorking={isWorking} signed={signed} />}
      <div ref={buttons} className="buttons">
        {isWorking ? (
          <SaveButton signed={signed} focusesSaved={focusesSaved} />
        ) : (
          <DecisionButtons film={film} reading={reading} original={original} decide={decide} />
        )}
      </div>
    </div>
  );
}

function Findings({
  film,
  reading,
  isWorking,
  signed,
}: Omit<DecisionProps, "original"> & { readonly isWorking: boolean; readonly signed: SignedWrites["signed"] }) {
  const written = useWrittenFindings((state) => writtenOn(state, film.id));
  const kept = keptFindings(reading);
  const remark = written ?? kept;
  const canSave = !isWorking && reading?.source === "person" && remark !== kept;
  return (
    <FindingsField
      film={film}
      // Text blocks use the stored reading, so none are offered while points are being moved.
      reading={isWorking ? null : reading}
      text={remark}
      onChange={(next) => changeFindings(film.id, kept, next)}
      onSave={canSave ? () => signed((signature) => saveAgain(reading, signature)) : null}
    />
  );
}
