/** The dictionary of PS3.6 in dcmjs, by tag as eight digits. The package has no types. */
declare module "dcmjs" {
  const dcmjs: {
    readonly data: {
      readonly DicomMetaDictionary: {
        readonly dictionary: Readonly<Record<string, { readonly vr: string; readonly name: string } | undefined>>;
      };
    };
  };
  export { dcmjs as default };
}
