export type Size = { readonly widthPx: number; readonly heightPx: number };
/** Position relative to the stage's top left corner [CSS px]. */
export type ScreenPoint = { readonly x: number; readonly y: number };

/** Pointer movement below this distance is a click [CSS px]. */
export const clickPx = 4;

/**
 * Position of a film on the stage: rotated and mirrored about its centre, scaled, and moved. `panXPx`, `panYPx`: film
 * centre relative to the stage's centre [CSS px]. `zoom`: CSS px per film px.
 */
export type View = {
  readonly zoom: number;
  readonly panXPx: number;
  readonly panYPx: number;
  readonly quarterTurns: 0 | 1 | 2 | 3;
  /** Clockwise rotation in addition to the quarter turns [deg], -45–45; default 0. */
  readonly tiltDeg?: number;
  readonly isFlipped: boolean;
};

/** Affine map `x' = a x + c y + e`, `y' = b x + d y + f`, as in SVG. */
export type Matrix = {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
};

/** Minimum and maximum zoom [CSS px per film px]. */
const zoomLimits = { least: 0.02, most: 32 } as const;

const cosines = [1, 0, -1, 0] as const;
const sines = [0, 1, 0, -1] as const;

/** Rotation of a view; exact for quarter turns. */
function turnOf({ quarterTurns, tiltDeg = 0 }: View): { readonly cos: number; readonly sin: number } {
  if (tiltDeg === 0) return { cos: cosines[quarterTurns], sin: sines[quarterTurns] };
  const rad = ((quarterTurns * 90 + tiltDeg) * Math.PI) / 180;
  return { cos: Math.cos(rad), sin: Math.sin(rad) };
}

/** Map from film [px] (0, 0 = corner of the top left pixel) to the stage [CSS px]. Mirroring precedes rotation. */
export function filmToStage(view: View, film: Size, stage: Size): Matrix {
  const { cos, sin } = turnOf(view);
  const flip = view.isFlipped ? -1 : 1;
  const a = view.zoom * cos * flip;
  const b = view.zoom * sin * flip;
  const c = -view.zoom * sin;
  const d = view.zoom * cos;
  const centreX = film.widthPx / 2;
  const centreY = film.heightPx / 2;
  return {
    a,
    b,
    c,
    d,
    e: stage.widthPx / 2 + view.panXPx - a * centreX - c * centreY,
    f: stage.heightPx / 2 + view.panYPx - b * centreX - d * centreY,
  };
}

/**
 * Map from film to the canvas [device px]. At a whole number of device pixels per film pixel, the origin is rounded to
 * a whole pixel, since a fraction would blur the film.
 */
export function filmToDevice(view: View, film: Size | null, stage: Size, ratio: number): Matrix {
  const { a, b, c, d, e, f } = film ? filmToStage(view, film, stage) : { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const matrix = { a: a * ratio, b: b * ratio, c: c * ratio, d: d * ratio, e: e * ratio, f: f * ratio };
  const scale = Math.abs(matrix.a) + Math.abs(matrix.b);
  const isUpright = matrix.a === 0 || matrix.b === 0;
  const isWhole = isUpright && scale > 0.5 && Math.abs(scale - Math.round(scale)) < 1e-6;
  return isWhole ? { ...matrix, e: Math.round(matrix.e), f: Math.round(matrix.f) } : matrix;
}

export function mapped(matrix: Matrix, point: ScreenPoint): ScreenPoint {
  return {
    x: matrix.a * point.x + matrix.c * point.y + matrix.e,
    y: matrix.b * point.x + matrix.d * point.y + matrix.f,
  };
}

/** Always exists, since zoom is never 0. */
export function inverted(matrix: Matrix): Matrix {
  const determinant = matrix.a * matrix.d - matrix.b * matrix.c;
  const a = matrix.d / determinant;
  const b = -matrix.b / determinant;
  const c = -matrix.c / determinant;
  const d = matrix.a / determinant;
  return { a, b, c, d, e: -(a * matrix.e + c * matrix.f), f: -(b * matrix.e + d * matrix.f) };
}

/**
 * Map from processed pixels (0, 0 = centre of the top left pixel) to the stage. The film may be larger than the frame
 * on which its points were placed; only this function applies that scale.
 */
export function frameToStage(view: View, film: Size, frame: Size, stage: Size): Matrix {
  const { a, b, c, d, e, f } = filmToStage(view, film, stage);
  const x = film.widthPx / frame.widthPx;
  const y = film.heightPx / frame.heightPx;
  return { a: a * x, b: b * x, c: c * y, d: d * y, e: e + (a * x + c * y) / 2, f: f + (b * x + d * y) / 2 };
}

/** View that shows the whole film, centred, with the same rotation and mirroring. */
export function fitted(view: View, film: Size, stage: Size): View {
  const { cos, sin } = turnOf(view);
  const width = Math.abs(cos) * film.widthPx + Math.abs(sin) * film.heightPx;
  const height = Math.abs(sin) * film.widthPx + Math.abs(cos) * film.heightPx;
  const zoom = Math.min(stage.widthPx / width, stage.heightPx / height);
  return { ...view, zoom: limitZoom(zoom), panXPx: 0, panYPx: 0 };
}

/** Zooms by a factor about a point of the stage. */
export function zoomedAt(view: View, factor: number, at: ScreenPoint, stage: Size): View {
  const zoom = limitZoom(view.zoom * factor);
  const grown = zoom / view.zoom;
  const fromCentreX = at.x - stage.widthPx / 2;
  const fromCentreY = at.y - stage.heightPx / 2;
  return {
    ...view,
    zoom,
    panXPx: fromCentreX - (fromCentreX - view.panXPx) * grown,
    panYPx: fromCentreY - (fromCentreY - view.panYPx) * grown,
  };
}

export function panned(view: View, byXPx: number, byYPx: number): View {
  return { ...view, panXPx: view.panXPx + byXPx, panYPx: view.panYPx + byYPx };
}

/** Rotates by a quarter turn about the stage's centre: 1 = clockwise, -1 = counterclockwise. */
export function turned(view: View, direction: 1 | -1 = 1): View {
  const quarterTurns = ((view.quarterTurns + direction + 4) % 4) as View["quarterTurns"];
  return { ...view, quarterTurns, panXPx: -view.panYPx * direction, panYPx: view.panXPx * direction };
}

export function tilted(view: View, byDeg: number): View {
  const rad = (byDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(rad), Math.sin(rad)];
  const wholeDeg = view.quarterTurns * 90 + (view.tiltDeg ?? 0) + byDeg;
  const quarters = Math.round(wholeDeg / 90);
  return {
    ...view,
    quarterTurns: (((quarters % 4) + 4) % 4) as View["quarterTurns"],
    tiltDeg: Math.round((wholeDeg - quarters * 90) * 100) / 100,
    panXPx: view.panXPx * cos - view.panYPx * sin,
    panYPx: view.panXPx * sin + view.panYPx * cos,
  };
}

/** Clockwise rotation of a view [deg], above -180 and up to 180. */
export function turnDeg({ quarterTurns, tiltDeg = 0 }: View): number {
  const deg = quarterTurns * 90 + tiltDeg;
  return deg > 180 ? deg - 360 : deg;
}

function limitZoom(zoom: number): number {
  return Math.min(zoomLimits.most, Math.max(zoomLimits.least, zoom));
}

/** Points of a polyline in SVG. */
export function pathOf(line: readonly ScreenPoint[]): string {
  return line.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
}
