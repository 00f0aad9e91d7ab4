import "./anonymous.css";
import { useState } from "react";
import type { DicomNode, SendFailure } from "../../core/contract/desktop/network/dicom.ts";
import { useAnonymous } from "../state/anonymous.ts";
import { useSendProgress } from "../state/transfers/progress.ts";
import { useJob } from "../state/transfers/use-job.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Notice, Stale } from "../ui/empty.tsx";
import { Choice } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";
import type { Area } from "./blanked-picture.tsx";
import { CheckedFilm } from "./checked-film.tsx";
import { ExportChoices, type Choices } from "./export-choices.tsx";
import { saveWithoutNames, sendWithoutNames } from "./export-end.ts";

export function AnonymousExport() {
  const { filmIds, close } = useAnonymous();
  return filmIds && <ExportDialog key={filmIds.join()} filmIds={filmIds} onClose={close} />;
}

const firstChoices: Choices = {
  contents: ["dicom", "table"],
  dates: "removed",
  descriptors: "removed",
  keepsPatient: false,
  withKeyFile: false,
};

function ExportDialog({ filmIds, onClose }: { readonly filmIds: readonly string[]; readonly onClose: () => void }) {
  const text = useText();
  const [at, setAt] = useState(0);
  const [checked, setChecked] = useState<Readonly<Record<string, readonly Area[]>>>({});
  const [choices, setChoices] = useState(firstChoices);
  const known = useChannel("dicom.nodes", {});
  const nodes = known.value?.nodes ?? [];
  const [nodeId, setNodeId] = useState(asFile);
  const node = nodes.find(({ id }) => id === nodeId) ?? null;
  const [filmId = ""] = filmIds.slice(at, at + 1);
  const left = filmIds.filter((id) => checked[id] === undefined);
  const check = (areas: readonly Area[]) => {
    setChecked({ ...checked, [filmId]: areas });
    const next = left.find((id) => id !== filmId);
    if (next) setAt(filmIds.indexOf(next));
  };
  const { start, stop, isRunning, failure, status } = useExporting(node, choices, onClose);
  const films = filmIds.map((id) => ({ filmId: id, areas: [...(checked[id] ?? [])] }));
  return (
    <Dialog
      isOpen
      isWide
      title={text("deidentify.title")}
      description={text("deidentify.text")}
      onClose={stop}
      foot={
        <>
          <span className="quiet" role="status">
            {left.length > 0 ? text("deidentify.open_count", { count: left.length }) : status}
          </span>
          <Button tone="plain" onClick={stop}>
            {text("common.cancel")}
          </Button>
          <Button
            tone="primary"
            disabled={isRunning || left.length > 0 || (!node && choices.contents.length === 0)}
            onClick={() => start(films)}
          >
            {text(node ? "deidentify.sendNow" : isRunning ? "deidentify.exporting" : "deidentify.export")}
          </Button>
        </>
      }
    >
      <div className="anonymous">
        <div className="stack">
          <FilmPager at={at} count={filmIds.length} onGo={setAt} />
          <CheckedFilm
            key={filmId}
            filmId={filmId}
            before={checked[filmId] ?? null}
            onCheck={check}
            onUncheck={() => setChecked(without(checked, filmId))}
          />
        </div>
        <fieldset role="presentation" className="stack" disabled={isRunning}>
          <Stale fault={known.fault} onRetry={known.reload} />
          {nodes.length > 0 && (
            <Choice
              label={text("deidentify.destination")}
              value={nodeId}
              options={[
                { value: asFile, label: text("deidentify.asFile") },
                ...nodes.map(({ id, name }) => ({ value: id, label: text("report.sendTo", { name }) })),
              ]}
              onChoose={setNodeId}
            />
          )}
          <ExportChoices choices={choices} isSent={node !== null} onChange={setChoices} />
          {failure && (
            <Notice tone="fault">{text(`dicom.failure_${failure.reason}`, { detail: failure.detail })}</Notice>
          )}
        </fieldset>
      </div>
    </Dialog>
  );
}

type FilmPagerProps = { readonly at: number; readonly count: number; readonly onGo: (at: number) => void };

function FilmPager({ at, count, onGo }: FilmPagerProps) {
  const text = useText();
  return (
    <div className="row">
      <strong>{text("deidentify.filmOf", { number: at + 1, count })}</strong>
      {count > 1 && (
        <>
          <Button disabled={at === 0} onClick={() => onGo(at - 1)}>
            {text("shortcuts.previousFilm")}
          </Button>
          <Button disabled={at === count - 1} onClick={() => onGo(at + 1)}>
            {text("shortcuts.nextFilm")}
          </Button>
        </>
      )}
    </div>
  );
}

/** Choice value for a file, in place of a node id. */
const asFile = "";

function useExporting(node: DicomNode | null, choices: Choices, onClose: () => void) {
  const text = useText();
  const { jobId, run, cancel } = useJob();
  const [failure, setFailure] = useState<SendFailure | null>(null);
  const progress = useSendProgress((state) => (jobId === null ? undefined : state.progress[jobId]));
  const start = (films: Parameters<typeof saveWithoutNames>[0]) => {
    setFailure(null);
    run(async (id) => {
      const fault = node ? await sendWithoutNames(films, choices, { node, sendId: id }) : null;
      if (!node) await saveWithoutNames(films, choices, id);
      if (fault === null || fault.reason === "cancelled") onClose();
      else setFailure(fault);
    });
  };
  const stop = () => {
    cancel();
    // A transfer reports how many films were received before the dialog closes.
    if (jobId === null || !node) onClose();
  };
  const status =
    jobId !== null &&
    node &&
    text(progress ? "deidentify.sentSoFar" : "deidentify.sending", { count: progress?.objects ?? 0 });
  return { start, stop, isRunning: jobId !== null, failure, status };
}

function without(checked: Readonly<Record<string, readonly Area[]>>, filmId: string) {
  return Object.fromEntries(Object.entries(checked).filter(([id]) => id !== filmId));
}
