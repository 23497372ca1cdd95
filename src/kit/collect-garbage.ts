import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/**
 * Collects the garbage of this thread now, which takes some milliseconds for each 10 MB of its heap. V8 does not count WebAssembly
 * memories that threads share: it would let those that are not used any more stand until the heap itself has grown.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
