export type StorageClass = { readonly uid: string; readonly name: string };

export const verificationClass = "1.2.840.10008.1.1";

/** Radiographs of all kinds, reports, presentation states and key object selections. @see DICOM PS3.4 B.5 */
export const storageClasses: readonly StorageClass[] = [
  { uid: "1.2.840.10008.5.1.4.1.1.1", name: "Computed Radiography Image Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.1.1", name: "Digital X-Ray Image Storage - For Presentation" },
  { uid: "1.2.840.10008.5.1.4.1.1.1.1.1", name: "Digital X-Ray Image Storage - For Processing" },
  { uid: "1.2.840.10008.5.1.4.1.1.7", name: "Secondary Capture Image Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.7.2", name: "Multi-frame Grayscale Byte Secondary Capture Image Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.7.3", name: "Multi-frame Grayscale Word Secondary Capture Image Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.7.4", name: "Multi-frame True Color Secondary Capture Image Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.12.1", name: "X-Ray Angiographic Image Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.12.2", name: "X-Ray Radiofluoroscopic Image Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.88.33", name: "Comprehensive SR Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.11.1", name: "Grayscale Softcopy Presentation State Storage" },
  { uid: "1.2.840.10008.5.1.4.1.1.88.59", name: "Key Object Selection Document Storage" },
];
