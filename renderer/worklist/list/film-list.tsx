import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";
import { attempt } from "../../state/faults.ts";
import { useFilms } from "../../state/films/films.ts";
import { useText } from "../../ui/language/language.ts";
import type { RowSlot } from "../film-row.tsx";
import type { FilmGroup } from "../study-groups.ts";
import { walkRows } from "./walk-rows.ts";

/** Heights until a row has been measured [px]. */
const rowPx = 62;
const studyHeadPx = 64;
/** Rows drawn beyond what is seen: the next stop of the keyboard is always there. */
const rowsBeyond = 12;

type FilmListProps = {
  readonly groups: readonly FilmGroup[];
  /** Of all films that are listed. */
  readonly order: readonly string[];
  readonly openId: string | null;
  readonly scroller: HTMLDivElement | null;
  readonly rowOf: (group: FilmGroup, slot: RowSlot) => ReactNode;
};

/**
 * The rows that are seen, of a list of any length. What has not been asked for yet has its room, and is asked for when
 * that comes into sight.
 */
export function FilmList({ groups, order, openId, scroller, rowOf }: FilmListProps) {
  const text = useText();
  const { films, hidden, total, listMore } = useFilms();
  const missing = Math.max(0, total - (films?.length ?? 0));
  // eslint-disable-next-line react-hooks/incompatible-library -- it is drawn anew with each scroll, nothing here is memoized
  const virtualizer = useVirtualizer({
    count: groups.length + missing,
    getScrollElement: () => scroller,
    estimateSize: (index) => heightOf(groups[index]),
    getItemKey: (index) => groups[index]?.films[0]?.id ?? `missing-${index}`,
    overscan: rowsBeyond,
  });
  const items = virtualizer.getVirtualItems();
  const isMissingSeen = (items.at(-1)?.index ?? -1) >= groups.length;
  const listed = films?.length ?? 0;
  useEffect(() => {
    if (isMissingSeen && missing > 0) attempt(listMore);
  }, [isMissingSeen, missing, listed, listMore]);
  const placeOf = (filmId: string) => groups.findIndex((group) => group.films.some(({ id }) => id === filmId));
  const openAt = openId === null ? -1 : placeOf(openId);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    // Only where another film was opened: a list that grows does not run away from who reads it.
    if (openAt < 0 || shown.current === openId) return;
    shown.current = openId;
    virtualizer.scrollToIndex(openAt, { align: "auto" });
  }, [openAt, openId, virtualizer]);
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      <ul
        style={{ paddingBlock: `${before}px ${after}px` }}
        data-listed={groups.length}
        onKeyDown={(event) =>
          walkRows(event, order, (filmId) => virtualizer.scrollToIndex(placeOf(filmId), { align: "auto" }))
        }
      >
        {items.map(({ index, key }) => {
          const slot = { "data-index": index, ref: virtualizer.measureElement };
          const group = groups[index];
          return group ? rowOf(group, slot) : <li key={key} {...slot} className="film-missing" aria-hidden="true" />;
        })}
      </ul>
      {isMissingSeen && (
        <p className="worklist-rest quiet fine" role="status">
          {text("films.shownOf", { shown: listed - hidden.size, total: total - hidden.size })}
        </p>
      )}
    </>
  );
}

function heightOf(group: FilmGroup | undefined): number {
  return group?.kind === "study" ? studyHeadPx + rowPx * group.films.length : rowPx;
}
