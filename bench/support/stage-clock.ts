import type { ChunkStore, StoreRun } from '../../src/contract/chunk-store.ts'
import type { Embedder } from '../../src/contract/embedder.ts'
import type { FileParser } from '../../src/contract/file-parser.ts'
import type { TextSplitter } from '../../src/contract/splitter.ts'

/** How long each stage had work under way. Stages overlap, so they add up to more than the run. */
export class StageClock {
  #ms = new Map<string, { busy: number; open: number; since: number }>()

  reset(): void {
    this.#ms = new Map()
  }

  /** Milliseconds by stage. */
  read(): Map<string, number> {
    return new Map([...this.#ms].map(([stage, { busy }]) => [stage, busy]))
  }

  enter(stage: string): () => void {
    const one = this.#ms.get(stage) ?? { busy: 0, open: 0, since: 0 }
    this.#ms.set(stage, one)
    if (one.open++ === 0) one.since = performance.now()
    return () => {
      if (--one.open === 0) one.busy += performance.now() - one.since
    }
  }

  #sync<T>(stage: string, work: () => T): T {
    const leave = this.enter(stage)
    try {
      return work()
    } finally {
      leave()
    }
  }

  async #async<T>(stage: string, work: () => Promise<T>): Promise<T> {
    const leave = this.enter(stage)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  parser(parser: FileParser): FileParser {
    const clock = this
    return {
      async *parse(request, signal) {
        const batches = parser.parse(request, signal)[Symbol.asyncIterator]()
        try {
          for (;;) {
            const { value, done } = await clock.#async('read', () => batches.next())
            if (done) return
            yield value
          }
        } finally {
          await batches.return?.()
        }
      },
      close: () => parser.close(),
    }
  }

  splitter(splitter: TextSplitter): TextSplitter {
    return {
      id: splitter.id,
      split: (text) => this.#sync('cut', () => splitter.split(text)),
      open: () => {
        const cutter = splitter.open()
        return {
          push: (part) => this.#sync('cut', () => cutter.push(part)),
          end: () => this.#sync('cut', () => cutter.end()),
        }
      },
    }
  }

  embedder(embedder: Embedder): Embedder {
    const { id, limits, dimensions, concurrency } = embedder
    return {
      id,
      limits,
      concurrency,
      ...(dimensions === undefined ? {} : { dimensions }),
      embed: (texts, options) => this.#async('embed', () => embedder.embed(texts, options)),
      embedQuery: (text, options) => embedder.embedQuery(text, options),
    }
  }

  store(store: ChunkStore): ChunkStore {
    return { ...store, open: async (embedder) => this.#run(await store.open(embedder)) }
  }

  #run(run: StoreRun): StoreRun {
    return {
      get dimensions() {
        return run.dimensions
      },
      known: (source, hashes) => this.#async('look up', () => run.known(source, hashes)),
      file: (name) => run.file(name),
      contents: (ids) => run.contents(ids),
      visible: (source) => run.visible(source),
      sources: () => run.sources(),
      count: () => run.count(),
      stage: (...request) => this.#async('write', () => run.stage(...request)),
      restage: (source) => run.restage(source),
      staged: (source) => run.staged(source),
      publish: (publication) => this.#async('publish', () => run.publish(publication)),
      sweep: () => this.#async('sweep, after the answer', () => run.sweep()),
      abandon: () => run.abandon(),
    }
  }
}
