import type { StorePart } from '../contract/card.ts'
import type { Loader } from '../contract/loader.ts'
import { LINE_ITEMS, type LineItem, type RunLine } from '../contract/run-line.ts'

/** The most characters of the texts of an item. */
const TITLE = 100
const TEXT = 160

/** A chunk that passes: its text, and what became of it. */
type PassedChunk = { text: string; verdict: string }

type LoaderLines = { cut: RunLine | undefined; read: RunLine | undefined }

/** What passed the lines between the nodes of an upsert, and the last items of each. */
export class LineFigures {
  /** The lines, in the order of the flow. They change while the run goes on. */
  readonly all: RunLine[] = []
  readonly #ofLoader = new Map<Loader, LoaderLines>()
  readonly #compared: RunLine | undefined
  readonly #embedded: RunLine | undefined
  readonly #shown: (text: string) => string

  /**
   * @param nodeIds the nodes of the parts; a line has two of them
   * @param mask replaces secrets in the texts of items
   */
  constructor(
    nodeIds: ReadonlyMap<object, string> = new Map(),
    part?: StorePart,
    mask: (text: string) => string = (text) => text,
  ) {
    this.#shown = mask
    if (!part) return
    const line = (from: object | undefined, to: object, unit: string): RunLine | undefined => {
      const [source, target] = [from && nodeIds.get(from), nodeIds.get(to)]
      if (source === undefined || target === undefined || source === target) return undefined
      const made: RunLine = { from: source, to: target, unit, count: 0, items: [] }
      this.all.push(made)
      return made
    }
    const { loaders, store, recordManager, embedder } = part
    for (const loader of loaders)
      this.#ofLoader.set(loader, {
        cut: line(loader.splitter, loader, 'chunks'),
        read: line(loader, store, 'chunks'),
      })
    this.#compared = line(recordManager, store, 'chunks')
    this.#embedded = line(embedder, store, 'vectors')
  }

  /** Chunks of a document were cut and compared. @param before how many chunks of it came before them */
  passed(loader: Loader, name: string, chunks: readonly PassedChunk[], before: number): void {
    const { cut, read } = this.#ofLoader.get(loader) ?? {}
    const item = ({ text }: PassedChunk, at: number) =>
      this.#item(`${name} #${before + at + 1}, ${text.length} characters`, text)
    note(cut, chunks, item)
    note(read, chunks, item)
    note(this.#compared, chunks, ({ text, verdict }, at) =>
      this.#item(`${name} #${before + at + 1}: ${verdict}`, text),
    )
  }

  /** Texts were embedded, into vectors of so many numbers. */
  embedded(texts: readonly string[], dimensions: number): void {
    note(this.#embedded, texts, (text) =>
      this.#item(`${text.length} characters into ${dimensions} numbers`, text),
    )
  }

  #item(title: string, text: string): LineItem {
    return {
      title: this.#shown(title).slice(0, TITLE),
      text: this.#shown(text.slice(0, 2 * TEXT)).slice(0, TEXT),
    }
  }
}

/** Adds to a line. Only the last things of a batch become items. */
function note<T>(
  line: RunLine | undefined,
  passed: readonly T[],
  item: (one: T, at: number) => LineItem,
): void {
  if (!line || passed.length === 0) return
  line.count += passed.length
  const from = Math.max(0, passed.length - LINE_ITEMS)
  const items = passed.slice(from).map((one, at) => item(one, from + at))
  line.items = [...line.items, ...items].slice(-LINE_ITEMS)
}
