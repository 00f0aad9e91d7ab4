import {
  useEffect,
  useRef,
  type MouseEvent as ReactMouseEvent,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
} from "react";
import { useCorrection } from "../correction/correction-slice.ts";
import { handlesOf, pointOf, type Handle } from "../../film/draft/draft.ts";
import { clickPx, filmToStage, frameToStage, inverted, mapped, type ScreenPoint, type Size } from "../../film/view.ts";
import { pinched } from "../../film/pinch.ts";
import { useProbe } from "./probe-slice.ts";
import { useViewer } from "../viewer-slice.ts";
import { windowAfterDrag, type GreyWindow } from "../../film/window/window-level.ts";

type Press =
  | { readonly kind: "window"; readonly start: ScreenPoint; readonly from: GreyWindow; hasMoved: boolean }
  | { readonly kind: "pan"; last: ScreenPoint }
  | { readonly kind: "pinch" }
  | { readonly kind: "handle"; readonly start: ScreenPoint; readonly offset: ScreenPoint; hasMoved: boolean };

const doubleClickMs = 500;
const wheelPace = 0.0016;
/** A finger grabs the nearest point within this distance [CSS px]. */
const fingerPx = 28;

export function useStagePointer(stageRef: RefObject<HTMLDivElement | null>) {
  const press = useRef<Press | null>(null);
  const placed = useRef({ atMs: -Infinity, at: { x: 0, y: 0 } });
  const fingers = useRef(new Map<number, ScreenPoint>());
  useWheelZoom(stageRef);
  const local = (event: { clientX: number; clientY: number }): ScreenPoint => {
    const box = stageRef.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const placeOnce = (atMs: number, at: ScreenPoint) => {
    const { x, y } = placed.current.at;
    const isDouble = atMs - placed.current.atMs < doubleClickMs && Math.hypot(at.x - x, at.y - y) < clickPx;
    placed.current = { atMs, at };
    if (!isDouble) useCorrection.getState().place(frameAt(at));
  };
  return {
    onPointerDown: (event: ReactPointerEvent) => {
      const at = local(event);
      if (event.pointerType === "touch") fingers.current.set(event.pointerId, at);
      if (event.pointerType === "pen") {
        // A palm may have touched the film before the pen.
        fingers.current.clear();
        end(press.current);
      }
      if (fingers.current.size === 2) {
        end(press.current);
        press.current = { kind: "pinch" };
        return stageRef.current?.setPointerCapture(event.pointerId);
      }
      const handle = handleAt(event.target, at, event.pointerType === "touch");
      if (event.button === 0 && handle !== null) {
        press.current = takeHandle(handle, at);
        stageRef.current?.querySelector<SVGElement>(`[data-handle="${handle}"]`)?.focus({ preventScroll: true });
      } else if (event.button === 1 || (event.button === 0 && event.shiftKey)) press.current = startPan(at);
      else if (event.button === 0)
        press.current = { kind: "window", start: at, from: useViewer.getState().window, hasMoved: false };
      else return;
      if (event.button === 1) event.preventDefault();
      stageRef.current?.setPointerCapture(event.pointerId);
    },
    // Focuses the grabbed point, not the point with the topmost grip.
    onMouseDown: (event: ReactMouseEvent) => {
      if (handleUnder(event.target) !== null) event.preventDefault();
    },
    onPointerMove: (event: ReactPointerEvent) => {
      const at = local(event);
      if (press.current?.kind === "pinch") pinch(fingers.current, event.pointerId, at);
      else if (press.current) drag(press.current, at);
      // No pixel is read out while the window or the film is being dragged.
      const isPointing = press.current === null || press.current.kind === "handle";
      probe(isPointing ? at : null);
    },
    onPointerLeave: () => probe(null),
    onPointerUp: (event: ReactPointerEvent) => {
      fingers.current.delete(event.pointerId);
      const ended = press.current;
      // After a pinch the remaining finger has no effect.
      if (ended?.kind === "pinch" && fingers.current.size > 0) return;
      press.current = null;
      end(ended);
      // A click places the next point, also on top of an existing one: the point of the left atrium is often next to
      // the caudal border.
      const isClick = ended !== null && "hasMoved" in ended && !ended.hasMoved;
      if (!isClick) return;
      if (useCorrection.getState().mode === "by_hand") placeOnce(event.timeStamp, local(event));
      else if (useProbe.getState().hasCrosshair) putCrosshair(local(event));
    },
    onPointerCancel: (event: ReactPointerEvent) => {
      fingers.current.delete(event.pointerId);
      end(press.current);
      press.current = null;
    },
    onDoubleClick: () => {
      if (useCorrection.getState().mode !== "by_hand") useViewer.getState().fit();
    },
  };
}

function probe(at: ScreenPoint | null): void {
  const { pixels } = useViewer.getState();
  if (pixels) useProbe.getState().pointAt(pixels, at && filmAt(pixels, at));
}

function putCrosshair(at: ScreenPoint): void {
  const { pixels } = useViewer.getState();
  if (pixels) useProbe.getState().putCrosshair(pixels, filmAt(pixels, at));
}

function filmAt(pixels: Size, at: ScreenPoint): ScreenPoint {
  const { view, stage } = useViewer.getState();
  return mapped(inverted(filmToStage(view, pixels, stage)), at);
}

function pinch(fingers: Map<number, ScreenPoint>, moved: number, at: ScreenPoint): void {
  const pinch = pinched(fingers, moved, at);
  if (!pinch) return;
  const { panBy, zoomBy } = useViewer.getState();
  panBy(pinch.byXPx, pinch.byYPx);
  zoomBy(pinch.factor, pinch.middle);
}

function drag(press: Exclude<Press, { kind: "pinch" }>, at: ScreenPoint): void {
  const { stage, setWindow, panBy } = useViewer.getState();
  switch (press.kind) {
    case "window": {
      const by = { x: at.x - press.start.x, y: at.y - press.start.y };
      press.hasMoved ||= Math.hypot(by.x, by.y) >= clickPx;
      if (press.hasMoved) setWindow(windowAfterDrag(press.from, by.x / stage.widthPx, by.y / stage.heightPx));
      return;
    }
    case "pan":
      panBy(at.x - press.last.x, at.y - press.last.y);
      press.last = at;
      return;
    case "handle":
      press.hasMoved ||= Math.hypot(at.x - press.start.x, at.y - press.start.y) >= 1;
      if (press.hasMoved)
        useCorrection.getState().dragTo(frameAt({ x: at.x + press.offset.x, y: at.y + press.offset.y }));
  }
}

function startPan(at: ScreenPoint): Press {
  useViewer.getState().startPan();
  return { kind: "pan", last: at };
}

function end(press: Press | null): void {
  if (press?.kind === "handle") useCorrection.getState().endDrag();
  if (press?.kind === "pan") useViewer.getState().endPan();
}

/** Grabs a point, which keeps its offset from the pointer, since its grip is larger than the point. */
function takeHandle(handle: Handle, at: ScreenPoint): Press {
  const { stack, startDrag } = useCorrection.getState();
  const point = pointOf(stack.present, handle);
  const onStage = point ? mapped(stageMatrix(), point) : at;
  startDrag(handle);
  return { kind: "handle", start: at, hasMoved: false, offset: { x: onStage.x - at.x, y: onStage.y - at.y } };
}

/** Handle of the nearest point; grips are larger than their points and overlap. */
function handleAt(target: EventTarget, at: ScreenPoint, isFinger: boolean): Handle | null {
  const hit = handleUnder(target);
  const { mode, stack } = useCorrection.getState();
  if (mode === "none" || (hit === null && !isFinger)) return hit;
  const distance = (handle: Handle) => {
    const point = pointOf(stack.present, handle);
    const onStage = point && mapped(stageMatrix(), point);
    return onStage ? Math.hypot(onStage.x - at.x, onStage.y - at.y) : Infinity;
  };
  const [nearest] = handlesOf(stack.present)
    .map((handle) => ({ handle, px: distance(handle) }))
    .sort((one, other) => one.px - other.px);
  return nearest && (hit !== null || nearest.px <= fingerPx) ? nearest.handle : null;
}

function handleUnder(target: EventTarget): Handle | null {
  const id = target instanceof Element ? target.closest("[data-handle]")?.getAttribute("data-handle") : null;
  if (id === null || id === undefined) return null;
  return /^\d+$/.test(id) ? Number(id) : (id as Handle);
}

function stageMatrix() {
  const { pixels, view, stage } = useViewer.getState();
  const { frame } = useCorrection.getState();
  return pixels ? frameToStage(view, pixels, frame, stage) : filmToStage(view, frame, stage);
}

function frameAt(at: ScreenPoint): ScreenPoint {
  return mapped(inverted(stageMatrix()), at);
}

/** Zooms with the wheel. React's wheel listener is passive and would let the page zoom too. */
function useWheelZoom(stageRef: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const stage = stageRef.current;
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      const box = stage?.getBoundingClientRect();
      const at = { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
      useViewer.getState().zoomBy(Math.exp(-event.deltaY * lines * wheelPace), at);
    };
    stage?.addEventListener("wheel", zoom, { passive: false });
    return () => stage?.removeEventListener("wheel", zoom);
  }, [stageRef]);
}
