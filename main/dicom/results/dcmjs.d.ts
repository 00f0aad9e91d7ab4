/** The parts of dcmjs in use. The package has no types. */
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
