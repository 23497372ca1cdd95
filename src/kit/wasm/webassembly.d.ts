/** The part of the WebAssembly interface that is used here; TypeScript ships it with the browser's types only. */
declare namespace WebAssembly {
  type MemoryDescriptor = { initial: number; maximum: number; shared?: boolean }

  class Memory {
    constructor(descriptor: MemoryDescriptor)
    readonly buffer: ArrayBufferLike
    /** Adds pages of 64 kB; answers how many there were. */
    grow(pages: number): number
  }

  class Module {
    constructor(bytes: Uint8Array)
  }

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>)
    readonly exports: Record<string, (...numbers: number[]) => number>
  }
}
