import { instantiate, wasmModule } from '../kit/wasm/module.ts'
import { encode } from './code-kernel.ts'
import { scan } from './scan-kernel.ts'
import { compareSigns, takeSigns } from './sign-kernel.ts'

/** The loops over vectors; see each kernel for its parameters, which are addresses and numbers. */
export type Kernels = Record<
  'encode' | 'takeSigns' | 'scan' | 'compareSigns',
  (...numbers: number[]) => number
>

/** The kernels for rows of `stride` codes in a shared memory. */
export function kernels(stride: number, memory: WebAssembly.Memory): Kernels {
  let module = modules.get(stride)
  if (!module) {
    module = wasmModule([encode(), takeSigns(), scan(stride), compareSigns(stride)], { shared: true })
    modules.set(stride, module)
  }
  return instantiate(module, memory) as Kernels
}

const modules = new Map<number, WebAssembly.Module>()
