import type { StorePart } from '../contract/card.ts'
import type { NodeProgress, NodeStep } from '../contract/job.ts'

const noFigures = (id: string, step: NodeStep): NodeProgress => ({
  id,
  step,
  files: 0,
  documents: 0,
  chunks: 0,
  embedded: 0,
  reused: 0,
  errors: 0,
  ms: 0,
})

/** What passed each node of the flow in one run. */
export class NodeFigures {
  readonly #byPart = new Map<object, NodeProgress>()
  /** The figures of all nodes, in the order of the flow. They change while the run goes on. */
  readonly all: NodeProgress[]

  /** @param nodeIds the nodes of the parts of the run. Parts that do not work in an upsert, such as a reranker, are left out */
  constructor(nodeIds: ReadonlyMap<object, string> = new Map(), part?: StorePart) {
    for (const [step, one] of part ? stepsOf(part) : []) {
      const id = nodeIds.get(one)
      if (id !== undefined && !this.#byPart.has(one)) this.#byPart.set(one, noFigures(id, step))
    }
    this.all = [...this.#byPart.values()]
  }

  /** The figures of a part's node. Of a part without a node they are not shown. */
  of(part: object | undefined): NodeProgress {
    return (part && this.#byPart.get(part)) ?? noFigures('', 'read')
  }
}

function* stepsOf({ loaders, recordManager, embedder, store }: StorePart): Generator<[NodeStep, object]> {
  for (const loader of loaders) yield ['read', loader]
  for (const { splitter } of loaders) if (splitter) yield ['split', splitter]
  if (recordManager) yield ['compare', recordManager]
  yield ['embed', embedder]
  yield ['store', store]
}

/** Adds work that has just ended to the figures of a node. @param began as `performance.now()` gave it */
export function noteWork(figures: NodeProgress, began: number): void {
  const ms = performance.now() - began
  figures.ms += ms
  figures.last = Date.now()
  figures.first ??= figures.last - Math.round(ms)
}

/** The same values; adds the time that is spent waiting for them. */
export async function* timed<T>(values: AsyncIterable<T>, figures: NodeProgress): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      const began = performance.now()
      const next = await iterator.next().finally(() => noteWork(figures, began))
      if (next.done) {
        ended = true
        return
      }
      yield next.value
    }
  } finally {
    if (!ended) await iterator.return?.()
  }
}
