import { useState } from "react";
import type { SetAsideObject } from "../../core/contract/desktop/network/received.ts";
import { call } from "../state/connection.ts";
import { attempt, failureText } from "../state/faults.ts";
import { usePermission } from "../state/people.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, Question } from "../ui/dialogs/dialog.tsx";
import { Empty, Stale } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useLanguage, useText } from "../ui/language/language.ts";
import { saveUrl } from "../ui/save-file.ts";
import { showToast } from "../ui/notes/toasts.ts";

type Props = {
  readonly objects: readonly SetAsideObject[];
  /** Why the latest request for the list failed; null if it succeeded. */
  readonly fault: string | null;
  readonly onClose: () => void;
  readonly onChange: () => void;
};

export function ReceivedDialog({ objects, fault, onClose, onChange }: Props) {
  const text = useText();
  const mayRemove = usePermission("remove");
  const [deleted, setDeleted] = useState<SetAsideObject | null>(null);
  const retry = (objectIds: string[]) =>
    attempt(async () => {
      const { opened } = await call("received.retry", { objectIds });
      showToast("note", text("received.retried", { opened, count: objectIds.length }));
      onChange();
    });
  const save = (objectId: string) =>
    attempt(async () => {
      const { download } = await call("received.export", { objectId });
      saveUrl(download.url, download.fileName);
    });
  const remove = () =>
    attempt(async () => {
      if (deleted) await call("received.delete", { objectIds: [deleted.id] });
      setDeleted(null);
      onChange();
    });
  const retryAll = (
    <Button icon="retry" onClick={() => retry(objects.map(({ id }) => id))}>
      {text("received.retryAll")}
    </Button>
  );
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={text("received.title")}
      description={text("received.text")}
      foot={objects.length > 1 && retryAll}
    >
      <Stale fault={fault} onRetry={onChange} />
      {objects.length === 0 ? (
        fault === null && <Empty icon="check" title={text("received.empty")} />
      ) : (
        <ul className="received-list">
          {objects.map((object) => (
            <li key={object.id}>
              <ReceivedObject object={object} />
              <div className="row end">
                <Button onClick={() => retry([object.id])}>{text("common.retry")}</Button>
                <Button onClick={() => save(object.id)}>{text("received.export")}</Button>
                {mayRemove && <Button onClick={() => setDeleted(object)}>{text("common.delete")}</Button>}
              </div>
            </li>
          ))}
        </ul>
      )}
      <Question
        isOpen={deleted !== null}
        title={text("received.deleteTitle")}
        description={text("received.deleteText")}
        confirm={text("common.delete")}
        isDangerous
        onCancel={() => setDeleted(null)}
        onConfirm={remove}
      />
    </Dialog>
  );
}

function ReceivedObject({ object }: { readonly object: SetAsideObject }) {
  const text = useText();
  const format = useFormat();
  const language = useLanguage((state) => state.language);
  const { patientName, responsiblePerson, patientId, sender, modality, takenAt, receivedAt, failure } = object;
  const whose = [patientName, responsiblePerson, patientId].filter(Boolean).join(" · ");
  const what = [modality, takenAt && format.day(takenAt)].filter(Boolean).join(", ");
  return (
    <div>
      <strong>{whose || text("received.unknownPatient")}</strong> <span className="quiet">{what}</span>
      <p className="fault-text">{failureText(failure, language)}</p>
      <p className="quiet fine">
        {text("received.from", { sender: sender ?? text("received.unknownSender"), at: format.minute(receivedAt) })}
      </p>
    </div>
  );
}
