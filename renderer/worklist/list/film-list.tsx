import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, type ReactNode } from "react";
import { attempt } from "../../state/faults.ts";
import { useFilms, useWorklist } from "../../state/films/films.ts";
import { useText } from "../../ui/language/language.ts";
import type { RowSlot } from "../film-row.tsx";
import type { ListEntry } from "../study-groups.ts";
import { beginOfPart, nextMissingRow, type ListRows } from "./list-rows.ts";
import { walkRows } from "./walk-rows.ts";

/** Row heights until a row has been measured [px]. */
const firstRowPx = 62;
const [studyHeadPx, seriesHeadPx] = [64, 28] as const;
/** Number of rows rendered beyond the visible ones, so that the next row can receive the focus. */
const rowsBeyond = 12;

type FilmListProps = {
  readonly rows: ListRows;
  readonly order: readonly string[];
  readonly openId: string | null;
  readonly scroller: HTMLDivElement | null;
  readonly rowOf: (entry: ListEntry, slot: RowSlot) => ReactNode;
  readonly onExtend: (filmId: string) => void;
};

/** Visible rows of a list of any length. Unloaded rows reserve space and are loaded when they become visible. */
export function FilmList({ rows, order, openId, scroller, rowOf, onExtend }: FilmListProps) {
  const text = useText();
  const { films, hidden, total } = useWorklist();
  const { listPart } = useFilms.getState();
  // Median row height, the estimate for unmeasured rows; a change of it needs no render.
  const rowPx = useRef(firstRowPx);
  // Stable for the same rows, as a new function makes the virtualizer lay out the whole list.
  const keyOf = useCallback((index: number) => keyOfRow(rows, index), [rows]);
  // oxlint-disable-next-line react/incompatible-library -- redrawn with each scroll; its rows are memoized
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller,
    estimateSize: (index) => heightOf(rows.at(index), rowPx.current),
    getItemKey: keyOf,
    overscan: rowsBeyond,
    // Scrolling by key is painted before the list; the rows beyond cover what becomes visible meanwhile.
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const wanted = nextMissingRow(rows, items[0]?.index ?? 0, items.at(-1)?.index ?? -1);
  const gap = wanted?.gap;
  const begin = wanted ? beginOfPart(wanted) : 0;
  useEffect(() => {
    if (gap) attempt(() => listPart(gap, begin));
  }, [gap, begin, listPart]);
  useEffect(() => {
    const heights = items.filter(({ index }) => rows.at(index)?.kind === "film").map(({ size }) => size);
    rowPx.current = heights.sort((a, b) => a - b)[heights.length >> 1] ?? rowPx.current;
  });
  const openAt = openId === null ? -1 : rows.rowOf(openId);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    // Scrolls only after another film was opened, so that a growing list does not move while it is being read.
    if (openAt < 0 || shown.current === openId) return;
    shown.current = openId;
    virtualizer.scrollToIndex(openAt, { align: "auto" });
  }, [openAt, openId, virtualizer]);
  const isMissingDrawn = items.some(({ index }) => rows.at(index)?.kind === "missing");
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      <ul
        style={{ paddingBlock: `${before}px ${after}px` }}
        onKeyDown={(event) =>
          walkRows(event, order, {
            show: (filmId) => virtualizer.scrollToIndex(rows.rowOf(filmId), { align: "auto" }),
            isBeside: (fromId, toId) => rows.missingBetween(fromId, toId) === null,
            extend: onExtend,
          })
        }
      >
        {items.map(({ index, key, size }) => {
          const row = rows.at(index);
          return row && row.kind !== "missing" ? (
            rowOf(row, { index, count: rows.count, measure: virtualizer.measureElement })
          ) : (
            <li key={key} className="film-missing" style={{ height: size }} aria-hidden="true" />
          );
        })}
      </ul>
      {isMissingDrawn && (
        <p className="visually-hidden" role="status">
          {text("films.shownOf", { shown: (films?.length ?? 0) - hidden.size, total: total - hidden.size })}
        </p>
      )}
    </>
  );
}

function heightOf(row: ReturnType<ListRows["at"]>, rowPx: number): number {
  if (row?.kind === "study") return studyHeadPx;
  return row?.kind === "series" ? seriesHeadPx : rowPx;
}

/** An unloaded row has its index as key, to avoid a string for each of tens of thousands. */
function keyOfRow(rows: ListRows, index: number): string | number {
  const row = rows.at(index);
  if (!row || row.kind === "missing") return index;
  if (row.kind === "film") return row.films[0].id;
  return `${row.kind} ${row.kind === "series" ? row.number : ""} ${row.study.id}`;
}
