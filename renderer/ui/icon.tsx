/** Line icons on a 20 x 20 grid, drawn for this program. */
const paths = {
  films: "M3 4h9v12H3zM12 6h3v12H6v-2M5.500 7h4M5.500 9.500h4",
  trends: "M3 3v14h14M6 13l3-4 3 2 4-6",
  usg: "M10 3c3 4 4.500 6.300 4.500 8.700a4.500 4.500 0 0 1-9 0C5.500 9.300 7 7 10 3zM7.800 12.200a2.200 2.200 0 0 0 2.200 2.200",
  capture: "M3 6h3l1.500-2h5L14 6h3v10H3zM10 8.200a2.700 2.700 0 1 0 .01 0",
  agreement:
    "M3 3v14h14M3 10h14M6.500 8a1 1 0 1 0 .01 0M10 11a1 1 0 1 0 .01 0M13 7a1 1 0 1 0 .01 0M15 12.500a1 1 0 1 0 .01 0",
  ledger: "M5 3h10v14l-2-1.300L11.500 17 10 15.700 8.500 17 7 15.700 5 17zM7.500 7h5M7.500 10h5",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 4.200a1.800 1.800 0 1 0 .01 0M7 12.200a1.800 1.800 0 1 0 .01 0",
  open: "M3 16V5h5l1.500 2H17v2M3 16l2.500-7H18l-2.500 7z",
  search: "M8.500 3.500a5 5 0 1 0 .01 0M12.200 12.200L16.500 16.500",
  close: "M5 5l10 10M15 5L5 15",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  retry: "M16 10a6 6 0 1 1-1.800-4.300M16 3v3.500h-3.500",
  stop: "M6 6h8v8H6z",
  trash: "M4 6h12M8 6V4h4v2M6 6l.700 10h6.600L14 6M8.500 9v4.500M11.500 9v4.500",
  patient: "M10 4a3 3 0 1 0 .01 0M4.500 17c0-3.500 2.300-5.500 5.500-5.500s5.500 2 5.500 5.500",
  window: "M10 3a7 7 0 1 0 .01 0M10 3v14a7 7 0 0 0 0-14z",
  zoomIn: "M8.500 3.500a5 5 0 1 0 .01 0M12.200 12.200L16.500 16.500M8.500 6.500v4M6.500 8.500h4",
  zoomOut: "M8.500 3.500a5 5 0 1 0 .01 0M12.200 12.200L16.500 16.500M6.500 8.500h4",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M7 7h6v6H7z",
  actual: "M5 7l1.500-1v8M14 7l1.500-1v8M10 8.500v.01M10 12v.01",
  invert: "M4 4h12v12H4zM4 16L16 4",
  rotate: "M15.500 8A6 6 0 1 0 16 11M16 4v4h-4",
  rotateLeft: "M4.500 8A6 6 0 1 1 4 11M4 4v4h4",
  turn: "M10 3.500a6.500 6.500 0 1 0 6.500 6.500M10 10l4.500-6M10 10h5",
  magnifier: "M8.500 3a5.500 5.500 0 1 0 .01 0M12.500 12.500L17 17M6.500 7.500a2.500 2.500 0 0 1 2-1.500",
  calibrate: "M3 13.500h14M3 11v5M17 11v5M6.500 8h7M8 4.500v3.500M12 4.500v3.500",
  flip: "M10 3v14M8 6L3 14h5zM12 6l5 8h-5z",
  sharpen: "M10 3v4M10 13v4M3 10h4M13 10h4M10 8a2 2 0 1 0 .01 0",
  crosshair: "M10 2.500v5M10 12.500v5M2.500 10h5M12.500 10h5M10 10h.01",
  full: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  eye: "M2.500 10S5.500 5 10 5s7.500 5 7.500 5-3 5-7.500 5-7.500-5-7.500-5zM10 8a2 2 0 1 0 .01 0",
  votes:
    "M7 6.500a1 1 0 1 0 .01 0M12 5a1 1 0 1 0 .01 0M13.500 9.500a1 1 0 1 0 .01 0M8.500 11a1 1 0 1 0 .01 0M11 14a1 1 0 1 0 .01 0",
  undo: "M7 5L3.500 8.500 7 12M4 8.500h8a4 4 0 0 1 0 8h-2",
  redo: "M13 5l3.500 3.500L13 12M16 8.500H8a4 4 0 0 0 0 8h2",
  pointBack: "M13.500 10.500a2 2 0 1 0 .01 0M4 4v5h5M4 9a7 7 0 0 1 6.500-4.500",
  hand: "M4 16l8-8 2.500 2.500-8 8H4zM11 5l1-1 4.500 4.500-1 1",
  check: "M4 10.500l4 4 8-9",
  left: "M12 4l-6 6 6 6",
  right: "M8 4l6 6-6 6",
  filmAbove: "M4.500 12.500l5.500-5.500 5.500 5.500",
  filmBelow: "M4.500 7.500l5.500 5.500 5.500-5.500",
  pointNext: "M5 8a2 2 0 1 0 .01 0M10.500 5l5 5-5 5",
  pointPrevious: "M15 8a2 2 0 1 0 .01 0M9.500 5l-5 5 5 5",
  down: "M5.500 8l4.500 4.500L14.500 8",
  copy: "M7 7h9v9H7zM4 13V4h9",
  download: "M10 3v9M6.500 9L10 12.500 13.500 9M4 16h12",
  share:
    "M5 8a2 2 0 1 0 .01 0M14.500 3a2 2 0 1 0 .01 0M14.500 13a2 2 0 1 0 .01 0M6.800 9.100l5.900-3.100M6.800 10.900l5.900 3.100",
  print: "M6 8V3h8v5M6 14H3.500V8h13v6H14M6 12h8v5H6z",
  info: "M10 3a7 7 0 1 0 .01 0M10 9v5M10 6.300v.01",
  alert: "M10 3l8 14H2zM10 8v4.500M10 14.700v.01",
  keyboard: "M2.500 5.500h15v9h-15zM5.500 8.500h.01M8.500 8.500h.01M11.500 8.500h.01M14.500 8.500h.01M6.500 11.700h7",
  plus: "M10 4v12M4 10h12",
  compare: "M3 4h6v12H3zM11 4h6v12h-6z",
  swap: "M6 4L2.500 7.500 6 11M3 7.500h14M14 9l3.500 3.500L14 16M17 12.500H3",
  link: "M8 12l4-4M9 6l1.500-1.500a3.200 3.200 0 0 1 4.500 4.500L13.500 10.500M11 14l-1.500 1.500A3.200 3.200 0 0 1 5 11l1.500-1.500",
  ruler: "M3 13L13 3l4 4L7 17zM6 10l1.500 1.500M8.500 7.500L10 9M11 5l1.500 1.500",
  offline:
    "M3 3l14 14M5 8.500a7.500 7.500 0 0 1 2-1.300M9.500 6.300A8 8 0 0 1 16 9M7.500 12a3.800 3.800 0 0 1 3.500-1M10 15.200v.01",
} as const;

export type IconName = keyof typeof paths;

/** An icon defined elsewhere, on the same grid. */
export type DrawnIcon = { readonly path: string };

export function Icon({ name }: { readonly name: IconName | DrawnIcon }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={typeof name === "string" ? paths[name] : name.path} />
    </svg>
  );
}
