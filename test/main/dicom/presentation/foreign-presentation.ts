import { bytes, dataSet, partTen, sequence, text, us, type Written } from "../dicom-writer.ts";

export const floats = (tag: string, ...values: number[]): Written =>
  bytes(tag, "FL", new Uint8Array(Float32Array.from(values).buffer));
const longs = (tag: string, ...values: number[]): Written =>
  bytes(tag, "SL", new Uint8Array(Int32Array.from(values).buffer));
export const graphic = (kind: string, units: string, ...values: number[]) => [
  text("00700005", "CS", units),
  us("00700020", 2),
  us("00700021", values.length / 2),
  floats("00700022", ...values),
  text("00700023", "CS", kind),
];
export const labelAt = (column: number, row: number, label: string) => [
  text("00700004", "CS", "PIXEL"),
  text("00700006", "ST", label),
  floats("00700014", column, row),
  text("00700015", "CS", "N"),
];

type About = {
  readonly study?: string;
  readonly series?: string;
  readonly film?: string;
  readonly instance?: string;
  /** Column and row of the film at the upper left and the lower right of the display; empty: unstated. */
  readonly corners?: readonly (readonly [number, number])[];
};

export function foreignPresentation(
  graphics: readonly Written[][],
  labels: readonly Written[][] = [],
  turned: readonly Written[] = [],
  about: About = {},
): Buffer {
  const { study = "1.2.3.4", series = "1.2.3.4.1", film = "1.2.3.4.5", instance = "1.2.9.1" } = about;
  const [upperLeft, lowerRight] = about.corners ?? [
    [1, 1],
    [200, 100],
  ];
  return partTen(
    "1.2.840.10008.1.2.1",
    dataSet(
      text("00080005", "CS", "ISO_IR 192"),
      text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.11.1"),
      text("00080018", "UI", instance),
      text("00080060", "CS", "PR"),
      sequence("00081115", [
        sequence("00081140", [text("00081150", "UI", "1.2.840.10008.5.1.4.1.1.1.1"), text("00081155", "UI", film)]),
        text("0020000E", "UI", series),
      ]),
      text("00100010", "PN", "Sommer^Bella"),
      text("00100020", "LO", "P-77"),
      text("0020000D", "UI", study),
      text("0020000E", "UI", "1.2.9"),
      sequence("00700001", [
        text("00700002", "CS", "MARKS"),
        ...(labels.length > 0 ? [sequence("00700008", ...labels)] : []),
        sequence("00700009", ...graphics),
      ]),
      ...turned,
      sequence("0070005A", [longs("00700052", ...(upperLeft ?? [])), longs("00700053", ...(lowerRight ?? []))]),
      text("00700080", "CS", "REPORT"),
      text("00700084", "PN", "Müller^Ina"),
    ),
    [text("00020002", "UI", "1.2.840.10008.5.1.4.1.1.11.1"), text("00020003", "UI", instance)],
  );
}
