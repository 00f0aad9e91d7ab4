import { useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from "react";
import type { DesktopRequest } from "../../core/contract/desktop.ts";
import { Button } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";

/** A rectangle, in fractions of the picture's width and height. */
export type Area = DesktopRequest<"deidentify.export">["films"][number]["areas"][number];

type Place = { readonly x: number; readonly y: number };

/** Rectangles below this size are accidental drags and are ignored [fraction of the picture]. */
const minSide = 0.005;

/** Initial rectangle (centred) and step of the arrow keys [fraction of the picture]. */
const newArea: Area = { x: 0.4, y: 0.45, width: 0.2, height: 0.1 };
const keyStep = 0.01;

/** Dragging adds an area and a click removes it; keys add, move, resize and remove areas. */
export function BlankedPicture({
  url,
  areas,
  onChange,
}: {
  readonly url: string;
  readonly areas: readonly Area[];
  readonly onChange: (areas: readonly Area[]) => void;
}) {
  const text = useText();
  const start = useRef<Place | null>(null);
  const added = useRef<number | null>(null);
  const [drawing, setDrawing] = useState<Area | null>(null);
  const begin = (event: PointerEvent<SVGSVGElement>) => {
    if (event.target !== event.currentTarget) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = placeOf(event);
  };
  const draw = (event: PointerEvent<SVGSVGElement>) => {
    if (start.current) setDrawing(between(start.current, placeOf(event)));
  };
  const end = () => {
    if (drawing && drawing.width > minSide && drawing.height > minSide) onChange([...areas, drawing]);
    start.current = null;
    setDrawing(null);
  };
  const remove = (area: Area) => onChange(areas.filter((other) => other !== area));
  const press = (event: KeyboardEvent<SVGRectElement>, area: Area) => {
    if (["Delete", "Backspace", "Enter", " "].includes(event.key)) remove(area);
    else {
      const changed = changedByKey(area, event);
      if (changed === null) return;
      onChange(areas.map((other) => (other === area ? changed : other)));
    }
    event.preventDefault();
  };
  return (
    <>
      <div className="blanked-picture">
        <img src={url} alt="" draggable={false} />
        <svg
          viewBox="0 0 1 1"
          preserveAspectRatio="none"
          data-testid="blanking"
          onPointerDown={begin}
          onPointerMove={draw}
          onPointerUp={end}
          onPointerCancel={end}
        >
          {areas.map((area, index) => (
            <rect
              key={index}
              ref={(element) => void (index === added.current && focusOnce(element, added))}
              {...area}
              role="button"
              tabIndex={0}
              aria-label={text("deidentify.area", { number: index + 1 })}
              onClick={() => remove(area)}
              onKeyDown={(event) => press(event, area)}
            />
          ))}
          {drawing && <rect {...drawing} className="is-drawn" />}
        </svg>
      </div>
      <div className="row">
        <Button
          onClick={() => {
            added.current = areas.length;
            onChange([...areas, newArea]);
          }}
        >
          {text("deidentify.addArea")}
        </Button>
        <span className="quiet fine">{text("deidentify.keys")}</span>
      </div>
    </>
  );
}

function focusOnce(element: SVGRectElement | null, added: RefObject<number | null>): void {
  if (!element) return;
  added.current = null;
  element.focus();
}

/** Applies an arrow key: moves the area, or its lower right corner with Shift. Returns null for other keys. */
function changedByKey({ x, y, width, height }: Area, { key, shiftKey }: KeyboardEvent): Area | null {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [];
  if (dx === undefined || dy === undefined) return null;
  const stepped = (value: number, steps: number, least: number, most: number) =>
    Math.min(most, Math.max(least, value + steps * keyStep));
  return shiftKey
    ? { x, y, width: stepped(width, dx, keyStep, 1 - x), height: stepped(height, dy, keyStep, 1 - y) }
    : { x: stepped(x, dx, 0, 1 - width), y: stepped(y, dy, 0, 1 - height), width, height };
}

function placeOf(event: PointerEvent<SVGSVGElement>): Place {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return { x: within((event.clientX - left) / width), y: within((event.clientY - top) / height) };
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function between(one: Place, other: Place): Area {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return { x, y, width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
}
