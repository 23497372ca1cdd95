import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Thorough = { type: 'major'; execution: 'sync'; flavor: 'last-resort' }

let exposed: ((how?: Thorough) => void) | undefined

/**
 * Collects the garbage of this thread now, which takes some milliseconds for each 10 MB of its heap. V8 does not count WebAssembly
 * memories that threads share: it would let those that are not used any more stand until the heap itself has grown.
 */
export const collectGarbage = (): void => collector()()

/**
 * Collects all garbage, and releases the room that V8 keeps for new objects: 15 to 30 MB after a start. It takes twice as long as
 * `collectGarbage`.
 */
export const releaseRoom = (): void =>
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })

function collector(): (how?: Thorough) => void {
  if (!exposed) {
    setFlagsFromString('--expose-gc')
    exposed = runInNewContext('gc') as (how?: Thorough) => void
  }
  return exposed
}
