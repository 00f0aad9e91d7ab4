import { useRef, useState, type PointerEvent } from "react";
import type { DesktopRequest } from "../../core/contract/desktop.ts";
import { useText } from "../ui/language/language.ts";

/** A rectangle in shares of the picture's sides. */
export type Area = DesktopRequest<"deidentify.export">["films"][number]["areas"][number];

type Place = { readonly x: number; readonly y: number };

/** A frame smaller than this is a click that slipped, as a share of the picture. */
const leastSide = 0.005;

/** The picture under its blanked areas. Drawing adds one, a click or a key on one removes it. */
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
    if (drawing && drawing.width > leastSide && drawing.height > leastSide) onChange([...areas, drawing]);
    start.current = null;
    setDrawing(null);
  };
  const remove = (area: Area) => onChange(areas.filter((other) => other !== area));
  return (
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
            key={`${area.x} ${area.y} ${area.width} ${area.height}`}
            {...area}
            role="button"
            tabIndex={0}
            aria-label={text("deidentify.area", { number: index + 1 })}
            onClick={() => remove(area)}
            onKeyDown={({ key }) => ["Delete", "Backspace", "Enter", " "].includes(key) && remove(area)}
          />
        ))}
        {drawing && <rect {...drawing} className="is-drawn" />}
      </svg>
    </div>
  );
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
