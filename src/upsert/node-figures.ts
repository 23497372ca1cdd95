import type { NodeProgress } from '../contract/job.ts'

const noFigures = (id: string): NodeProgress => ({
  id,
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

  /** @param nodeIds the nodes of the parts of the run */
  constructor(nodeIds: ReadonlyMap<object, string> = new Map()) {
    const byId = new Map([...new Set(nodeIds.values())].map((id) => [id, noFigures(id)]))
    for (const [part, id] of nodeIds) this.#byPart.set(part, byId.get(id)!)
    this.all = [...byId.values()]
  }

  /** The figures of a part's node. Of a part without a node they are not shown. */
  of(part: object | undefined): NodeProgress {
    return (part && this.#byPart.get(part)) ?? noFigures('')
  }
}

/** The same values; adds the time that is spent waiting for them. */
export async function* timed<T>(values: AsyncIterable<T>, figures: NodeProgress): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      const began = performance.now()
      const next = await iterator.next().finally(() => {
        figures.ms += performance.now() - began
      })
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
