/**
 * The parts of dcmjs in use: a data set keyed by tags, each with its VR, written as a file; and the dictionary of
 * PS3.6, by tag as eight digits. The package has no types.
 */
declare module "dcmjs" {
  type Elements = Readonly<Record<string, { readonly vr: string; readonly Value: readonly unknown[] }>>;
  type DicomDict = { dict: Elements; write(options?: { readonly fragmentMultiframe?: boolean }): ArrayBuffer };
  const dcmjs: {
    readonly data: {
      readonly DicomDict: new (meta: Elements) => DicomDict;
      readonly DicomMetaDictionary: {
        readonly dictionary: Readonly<Record<string, { readonly vr: string; readonly name: string } | undefined>>;
      };
    };
  };
  export { dcmjs as default };
}
