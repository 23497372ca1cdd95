import type { OpenHeading } from '../../contract/splitter.ts'

/**
 * From `at` on a heading holds, and those of its level or deeper do not; without a title they only end. `joined`: nothing but
 * headings is between it and the heading before.
 */
type HeadingChange = { at: number; level: number; title?: string | undefined; joined: boolean }

/** The headings that hold at the beginning of a chunk. */
export type OutlinePlace = {
  /** From the outermost: those above the first words of the chunk that are no heading. */
  headings: string[]
  /** Those of them that are not in the chunk's text. */
  above: string[]
}

/** The headings of a text whose changes become known in order, and whose chunks begin in order. */
export class Outline {
  #path: OpenHeading[]
  #changes: HeadingChange[] = []

  constructor(path: readonly OpenHeading[] = []) {
    this.#path = [...path]
  }

  change(change: HeadingChange): void {
    this.#changes.push(change)
  }

  /** The headings for a chunk from `start`, its first words at `first`; no later chunk begins before it. */
  at(start: number, first: number): OutlinePlace {
    let count = 0
    while (count < this.#changes.length && this.#changes[count]!.at < start)
      apply(this.#path, this.#changes[count++]!)
    if (count > 0) this.#changes.splice(0, count)
    const change = this.#changes[0]
    if (!change || change.at > first) {
      const headings = this.#path.map(({ title }) => title)
      return { headings, above: headings }
    }
    const path = [...this.#path]
    let above = path.length
    for (const change of this.#changes) {
      if (change.at > first && !change.joined) break
      apply(path, change)
      above = Math.min(above, path.length - (change.title === undefined ? 0 : 1))
    }
    const headings = path.map(({ title }) => title)
    return { headings, above: headings.slice(0, above) }
  }

  /** The headings that hold at the end of the text. */
  end(): OpenHeading[] {
    const path = [...this.#path]
    for (const change of this.#changes) apply(path, change)
    return path
  }
}

function apply(path: OpenHeading[], { level, title }: HeadingChange): void {
  while (path.length > 0 && path.at(-1)!.level >= level) path.pop()
  if (title !== undefined) path.push({ level, title })
}
