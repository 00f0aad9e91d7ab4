import "./key-films.css";
import { useState } from "react";
import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import type { KeyFilms } from "../../../core/contract/desktop/network/key-films.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useFilms } from "../../state/films/films.ts";
import { useJob } from "../../state/transfers/use-job.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Empty, Loading, Stale } from "../../ui/empty.tsx";
import { Choice } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { NotAnswered } from "../pacs/node-search.tsx";

export function KeyFilmsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("keyFilms.list", {});
  const known = useChannel("dicom.nodes", {});
  const nodes = known.value?.nodes ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  if (fault !== null)
    return <NotAnswered title={text("keyFilms.title")} fault={fault} onRetry={reload} onClose={onClose} />;
  if (!value) return <Loading label={text("common.loading")} />;
  const node = nodes.find(({ id }) => id === chosen) ?? nodes[0] ?? null;
  return (
    <Dialog isOpen isWide onClose={onClose} title={text("keyFilms.title")} description={text("keyFilms.text")}>
      <Stale fault={staleFault} onRetry={reload} />
      <Stale fault={known.fault} onRetry={known.reload} />
      {value.lists.length === 0 && <Empty icon="search" title={text("keyFilms.none")} />}
      {node && nodes.length > 1 && value.lists.length > 0 && (
        <Choice
          label={text("pacs.node")}
          value={node.id}
          options={nodes.map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={setChosen}
        />
      )}
      <ul className="key-films">
        {value.lists.map((list) => (
          <KeyList key={list.sopInstanceUid} list={list} node={node} onOpened={onClose} onChange={reload} />
        ))}
      </ul>
    </Dialog>
  );
}

type ListProps = {
  readonly list: KeyFilms;
  readonly node: DicomNode | null;
  readonly onOpened: () => void;
  readonly onChange: () => void;
};

function KeyList({ list, node, onOpened, onChange }: ListProps) {
  const text = useText();
  const format = useFormat();
  const leave = useNavigation((state) => state.leave);
  const { jobId, run } = useJob();
  const open = (filmId: string) => {
    leave(() => useFilms.getState().open(filmId));
    onOpened();
  };
  const fetch = (film: KeyFilms["films"][number], { id: nodeId }: DicomNode) =>
    run(async (job) => {
      const { studyInstanceUid, seriesInstanceUid, sopInstanceUid } = film;
      const { failure, fetchedObjects } = await call("pacs.fetch", {
        ...{ jobId: job, nodeId, studyInstanceUid },
        film: { seriesInstanceUid, sopInstanceUid },
      });
      if (failure) showToast("fault", text(`dicom.failure_${failure.reason}`, { detail: failure.detail }));
      else if (fetchedObjects === 0) showToast("fault", text("keyFilms.notThere"));
      onChange();
    });
  const remove = () =>
    attempt(async () => {
      await call("keyFilms.remove", { sopInstanceUid: list.sopInstanceUid });
      onChange();
    });
  const { title, description, at, patientName, patientId, films } = list;
  return (
    <li>
      <div>
        <strong>{[patientName, patientId].filter(Boolean).join(" · ") || text("received.unknownPatient")}</strong>{" "}
        <span className="quiet">{[title, at && format.day(at)].filter(Boolean).join(", ")}</span>
        {description && <p className="quiet">{description}</p>}
      </div>
      <div className="row">
        {films.map((film, index) =>
          film.filmId !== null ? (
            <Button key={film.sopInstanceUid} onClick={() => open(film.filmId as string)}>
              {text("keyFilms.open", { number: index + 1 })}
            </Button>
          ) : (
            <Button
              key={film.sopInstanceUid}
              icon="download"
              disabled={node === null || jobId !== null}
              onClick={() => node && fetch(film, node)}
            >
              {text("keyFilms.fetch", { number: index + 1 })}
            </Button>
          ),
        )}
        <span className="spring" />
        <Button onClick={remove}>{text("keyFilms.remove")}</Button>
      </div>
    </li>
  );
}
