import { useState } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { rejectionReasons } from "../../../core/cardiac/verdict/verdict-facts.ts";
import { useFilms } from "../../state/films/films.ts";
import { useNavigation } from "../../state/navigation.ts";
import { KeyedButton } from "../../ui/keys/keyed-button.tsx";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { useText } from "../../ui/language/language.ts";
import { Menu } from "../../ui/menu.tsx";
import { handlesOf } from "../../film/draft/draft.ts";
import { saveReading, useCorrection } from "../correction/correction-slice.ts";
import type { CorrectionState } from "../correction/correction-state.ts";
import { useViewer } from "../viewer-slice.ts";
import type { SignedWrites } from "./use-signed-writes.ts";

type DecisionButtonsProps = {
  readonly film: Film;
  readonly reading: Reading | null;
  /** Reading of the networks that a user has corrected. */
  readonly original: Reading | null;
  readonly decide: SignedWrites["decide"];
};

/** Accepts or rejects a reading, or starts its correction or a measurement by hand. */
export function DecisionButtons({ film, reading, original, decide }: DecisionButtonsProps) {
  const text = useText();
  const [isRejecting, setRejecting] = useState(false);
  const { canDecide, canReject, canMeasure } = useDecisions(film, reading);
  const start = useCorrectionStart(reading, original);
  const leave = useNavigation((state) => state.leave);
  const accept = () => decide((signature) => saveReading("accepted", signature, null));
  const startByHand = () => leave(() => useCorrection.getState().byHand(film));
  useCommands({
    ...(canDecide && {
      "correct.accept": accept,
      "correct.start": () => start(),
      "correct.shiftCranial": () => start(({ shift }) => shift("cranial")),
      "correct.shiftCaudal": () => start(({ shift }) => shift("caudal")),
    }),
    ...(canReject && { "correct.reject": () => setRejecting(true) }),
    ...(canMeasure && { "correct.byHand": startByHand }),
  });
  return (
    <>
      <KeyedButton command="correct.accept" tone="primary" icon="check" disabled={!canDecide} onClick={accept} />
      <KeyedButton
        command="correct.start"
        icon="hand"
        disabled={!canDecide}
        // A press by key removes the focused button, so the first point is selected instead.
        onClick={({ detail }) => (detail === 0 ? start(selectFirst) : start())}
      />
      <Menu
        entries={rejectionReasons.map((reason) => ({
          label: text(`result.rejection_${reason}`),
          onChoose: () => decide((signature) => saveReading("rejected", signature, null, { rejectionReason: reason })),
        }))}
        open={isRejecting}
        onOpenChange={setRejecting}
      >
        <KeyedButton command="correct.reject" icon="close" disabled={!canReject} />
      </Menu>
      <KeyedButton command="correct.byHand" icon="ruler" disabled={!canMeasure} onClick={startByHand} />
    </>
  );
}

function useDecisions(film: Film, reading: Reading | null) {
  // A film whose file is missing cannot be judged.
  const isMissing = useViewer((state) => state.loading === "missing");
  // A reading that reader mode hides can be rejected too.
  const isKnown = useFilms(({ readings }) => readings.length > 0);
  const isBusy = film.state === "queued" || film.state === "measuring";
  return {
    canDecide: Boolean(reading?.heart) && !isMissing,
    // A film without a measurement can be rejected too.
    canReject: !isBusy && (isKnown || film.reading === null) && !isMissing,
    canMeasure: !isBusy && film.hasImage && !isMissing,
  };
}

/** Starts a correction of the reading; `then` runs once it has started. */
function useCorrectionStart(reading: Reading | null, original: Reading | null) {
  const leave = useNavigation((state) => state.leave);
  const model = original ?? (reading?.source === "model" ? reading : null);
  return (then?: (started: CorrectionState) => void) => {
    if (!reading) return;
    leave(() => {
      useCorrection.getState().correct(reading, model);
      then?.(useCorrection.getState());
    });
  };
}

function selectFirst({ stack, select }: CorrectionState): void {
  select(handlesOf(stack.present)[0] ?? null);
}
