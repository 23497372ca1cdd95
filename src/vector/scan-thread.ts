import { parentPort } from 'node:worker_threads'
import { collectGarbage } from '../kit/collect-garbage.ts'
import type { Layout } from './blocks.ts'
import { type Hit, Scanner, type ScanRequest } from './scanner.ts'

/** Messages to a thread: an image and its scratch memory, a search, or an image to free. */
export type ThreadMessage =
  | { add: number; layout: Layout; scratch: number }
  | { id: number; image: number; request: ScanRequest; blocks: number; next: Int32Array }
  | { drop: number }

export type ThreadAnswer = { id: number; hits: Hit[] }

/** How many blocks a thread takes at a time: a faster thread takes more often. */
const BLOCKS_AT_A_TIME = 16

const scanners = new Map<number, Scanner>()

/** Takes blocks for this thread alone; `next` is the first block that no thread has taken. */
function* taken(next: Int32Array, blocks: number): Iterable<number> {
  for (;;) {
    const first = Atomics.add(next, 0, BLOCKS_AT_A_TIME)
    if (first >= blocks) return
    for (let block = first; block < Math.min(first + BLOCKS_AT_A_TIME, blocks); block++) yield block
  }
}

parentPort!.on('message', (message: ThreadMessage) => {
  if ('add' in message) scanners.set(message.add, new Scanner(message.layout, message.scratch))
  else if ('drop' in message) {
    scanners.delete(message.drop)
    collectGarbage()
  } else {
    const { id, image, request, blocks, next } = message
    const answer: ThreadAnswer = { id, hits: scanners.get(image)!.search(request, taken(next, blocks)) }
    parentPort!.postMessage(answer)
  }
})
