/** The part of WebAssembly in use. Node.js provides it, but only the DOM library declares its types. */
declare namespace WebAssembly {
  type Module = { readonly [Symbol.toStringTag]: "WebAssembly.Module" };
  const Module: new (bytes: Uint8Array) => Module;
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports?: Record<string, Record<string, unknown>>): Promise<Instance>;
}
