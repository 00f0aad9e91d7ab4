/** DIMSE commands that Corvet sends or receives. @see DICOM PS3.7 E.1 */
export const commandFields = {
  storeRequest: 0x0001,
  storeResponse: 0x8001,
  getResponse: 0x8010,
  findResponse: 0x8020,
  moveResponse: 0x8021,
  eventReportRequest: 0x0100,
  actionResponse: 0x8130,
  echoRequest: 0x0030,
  echoResponse: 0x8030,
} as const;

export type CommandSet = { readonly field: number; readonly hasDataSet: boolean };

const noDataSet = 0x0101;

/** Reads the head of a command set, in implicit VR little endian; null if malformed. @see DICOM PS3.7 6.3.1 */
export function readCommandSet(bytes: Buffer): CommandSet | null {
  let field: number | null = null;
  let dataSetType: number | null = null;
  let offset = 0;
  while (offset < bytes.length) {
    if (offset + 8 > bytes.length || bytes.readUInt16LE(offset) !== 0) return null;
    const element = bytes.readUInt16LE(offset + 2);
    const length = bytes.readUInt32LE(offset + 4);
    const value = bytes.subarray(offset + 8, offset + 8 + length);
    if (value.length !== length) return null;
    if (element === 0x0100 && length === 2) field = value.readUInt16LE(0);
    if (element === 0x0800 && length === 2) dataSetType = value.readUInt16LE(0);
    offset += 8 + length;
  }
  return field === null || dataSetType === null ? null : { field, hasDataSet: dataSetType !== noDataSet };
}
