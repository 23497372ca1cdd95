import {
  KIND_CODE,
  type Kind,
  type Local,
  localAt,
  sequence,
  type Step,
  unsigned,
  type Value,
} from './code.ts'

/** A function of a module: its name, its encoded type, its encoded body. */
export type WasmFunction = { name: string; type: number[]; body: number[] }

type Body<Parameters extends Record<string, Kind>> = (
  parameters: { [Name in keyof Parameters]: Local<Parameters[Name]> },
  /** Declares a variable; it begins at zero. */
  variable: <K extends Kind>(kind: K) => Local<K>,
) => { steps: readonly Step[]; result?: Value<'i32'> }

/** Declares a function by the kinds of its parameters and a body; the result, where there is one, is an i32. */
export function wasmFunction<const Parameters extends Record<string, Kind>>(
  name: string,
  parameters: Parameters,
  body: Body<Parameters>,
): WasmFunction {
  const kinds: Kind[] = Object.values(parameters)
  const locals = Object.fromEntries(
    Object.entries(parameters).map(([parameter, kind], place) => [parameter, localAt(kind, place)]),
  ) as Parameters extends unknown ? { [Name in keyof Parameters]: Local<Parameters[Name]> } : never
  const variables: Kind[] = []
  const { steps, result } = body(locals, (kind) => localAt(kind, kinds.length + variables.push(kind) - 1))
  return {
    name,
    type: [0x60, ...list(kinds.map((kind) => [KIND_CODE[kind]])), ...(result ? [1, KIND_CODE.i32] : [0])],
    body: sized([
      ...list(variables.map((kind) => [1, KIND_CODE[kind]])),
      ...sequence(steps),
      ...(result?.code ?? []),
      0x0b,
    ]),
  }
}

const list = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()]
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes]
const text = (value: string): number[] => sized([...Buffer.from(value)])
const section = (id: number, items: readonly (readonly number[])[]): number[] => [id, ...sized(list(items))]

const PAGES_MAX = 65536

/** A module whose functions work on the memory it is given at {@link instantiate}. */
export function wasmModule(
  functions: readonly WasmFunction[],
  memory: { shared: boolean },
): WebAssembly.Module {
  // A shared memory must declare its limit; 0x01 and 0x03 are "with limit" and "with limit, shared".
  const memoryType = [memory.shared ? 0x03 : 0x01, ...unsigned(0), ...unsigned(PAGES_MAX)]
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(
        1,
        functions.map(({ type }) => type),
      ),
      ...section(2, [[...text('host'), ...text('memory'), 0x02, ...memoryType]]),
      ...section(
        3,
        functions.map((_, place) => unsigned(place)),
      ),
      ...section(
        7,
        functions.map(({ name }, place) => [...text(name), 0x00, ...unsigned(place)]),
      ),
      ...section(
        10,
        functions.map(({ body }) => body),
      ),
    ]),
  )
}

/** The functions of a module at work on a memory. */
export function instantiate(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): WebAssembly.Instance['exports'] {
  return new WebAssembly.Instance(module, { host: { memory } }).exports
}

const PAGE_BYTES = 65536

/** A memory of at least so many bytes. */
export function wasmMemory(bytes: number, maximumBytes = bytes, shared = false): WebAssembly.Memory {
  const pages = (size: number) => Math.ceil(size / PAGE_BYTES)
  return new WebAssembly.Memory({ initial: pages(bytes), maximum: pages(maximumBytes), shared })
}
