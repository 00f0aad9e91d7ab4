import type { Sending } from "../../../core/contract/desktop/network/dicom.ts";
import { call } from "../../state/connection.ts";
import { useDatabase } from "../../state/database.ts";
import { attempt } from "../../state/faults.ts";
import { useFilms } from "../../state/films/films.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Stale } from "../../ui/empty.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

/** Nodes to which a film's results were sent, with their storage commitment. Not loaded while stepping. */
export function SentResults({ filmId }: { readonly filmId: string }) {
  const text = useText();
  const enabled = useFilms(({ settledId }) => settledId === filmId);
  const { value, fault, staleFault, reload } = useChannel("dicom.sendings", { filmId }, { enabled });
  // Results of films opened while the database is unreachable are not sent.
  const isShownAway = useDatabase((state) => state.isShownAway);
  const sendings = value?.sendings ?? [];
  const unread = staleFault ?? (isShownAway ? null : fault);
  if (sendings.length === 0 && unread === null) return null;
  return (
    <section aria-label={text("sendings.title")}>
      <h3 className="field-label">{text("sendings.title")}</h3>
      <Stale fault={unread} onRetry={reload} />
      <div className="versions">
        {sendings.map((sending) => (
          <SentResult key={sending.id} filmId={filmId} sending={sending} />
        ))}
      </div>
    </section>
  );
}

function SentResult({ filmId, sending }: { readonly filmId: string; readonly sending: Sending }) {
  const text = useText();
  const format = useFormat();
  const { id, node, at, objects, commitment } = sending;
  const isLacking = commitment?.state === "partly" || commitment?.state === "refused";
  // A reply may have been lost while this program could not receive it.
  const mayAskAgain = isLacking || commitment?.state === "asked";
  return (
    <div className="version">
      <span className="whole-line">{text("sendings.line", { node, when: format.minute(at), count: objects })}</span>
      {commitment && (
        <span className={`fine whole-line ${isLacking ? "fault-text" : "quiet"}`}>{wordsOf(commitment, text)}</span>
      )}
      {mayAskAgain && (
        <Button onClick={() => attempt(() => call("dicom.askAgain", { filmId, sendingId: id }))}>
          {text("sendings.again")}
        </Button>
      )}
    </div>
  );
}

function wordsOf(
  { state, notKept, failure }: NonNullable<Sending["commitment"]>,
  text: ReturnType<typeof useText>,
): string {
  if (state === "partly") return text("sendings.partly", { count: notKept });
  if (state !== "refused") return text(`sendings.${state}`);
  const why = failure ? text(`dicom.failure_${failure.reason}`, { detail: failure.detail }) : "";
  return text("sendings.refused", { why });
}
