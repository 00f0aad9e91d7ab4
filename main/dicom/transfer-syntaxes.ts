/** Uncompressed pictures. Data sets with compressed pictures are in Explicit VR Little Endian. @see DICOM PS3.5 A */
export const implicitLittleEndian = "1.2.840.10008.1.2";
export const explicitLittleEndian = "1.2.840.10008.1.2.1";
export const deflatedLittleEndian = "1.2.840.10008.1.2.1.99";
export const explicitBigEndian = "1.2.840.10008.1.2.2";
