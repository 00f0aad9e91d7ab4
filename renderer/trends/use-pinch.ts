import { useRef, type PointerEvent } from "react";
import { pinched, type Pinch } from "../film/pinch.ts";
import type { ScreenPoint } from "../film/view.ts";

/** Pinch with two fingers on an element; after one is lifted, the other has no effect until it is lifted too. */
export function usePinch(onPinch: (pinch: Pinch) => void) {
  const fingers = useRef(new Map<number, ScreenPoint>());
  const isPinching = useRef(false);
  const local = ({ clientX, clientY, currentTarget }: PointerEvent): ScreenPoint => {
    const box = currentTarget.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  };
  const lift = ({ pointerId }: PointerEvent) => {
    fingers.current.delete(pointerId);
    if (fingers.current.size === 0) isPinching.current = false;
  };
  return {
    /** Handles a pointer movement; returns whether it belongs to a pinch and must have no other effect. */
    takes: (event: PointerEvent): boolean => {
      const pinch = isPinching.current ? pinched(fingers.current, event.pointerId, local(event)) : null;
      if (pinch) onPinch(pinch);
      return isPinching.current;
    },
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.pointerType !== "touch") return;
        fingers.current.set(event.pointerId, local(event));
        if (fingers.current.size === 2) isPinching.current = true;
      },
      onPointerUp: lift,
      onPointerCancel: lift,
    },
  };
}
