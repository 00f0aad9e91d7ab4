import { useRef, type PointerEvent } from "react";

/** Handlers that ignore touches while a pen is in contact, as they come from the palm of the drawing hand. */
export function usePalmRejection() {
  const isPenDown = useRef(false);
  const palms = useRef(new Set<number>());
  const begin = (event: PointerEvent) => {
    if (event.pointerType === "pen") isPenDown.current = true;
    else if (event.pointerType === "touch" && isPenDown.current) palms.current.add(event.pointerId);
    ignorePalm(event);
  };
  const ignorePalm = (event: PointerEvent) => {
    if (event.pointerType === "touch" && (isPenDown.current || palms.current.has(event.pointerId)))
      event.stopPropagation();
  };
  const end = (event: PointerEvent) => {
    ignorePalm(event);
    palms.current.delete(event.pointerId);
    if (event.pointerType === "pen") isPenDown.current = false;
  };
  return {
    onPointerDownCapture: begin,
    onPointerMoveCapture: ignorePalm,
    onPointerUpCapture: end,
    onPointerCancelCapture: end,
  };
}
