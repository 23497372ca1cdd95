import type { TraceBand } from '../../contract/source-trace.ts'

/** The most bands of a text: a map of a text shows one pixel for each. */
export const MOST_BANDS = 1000

/** What a line is shown as: the rarest thing in it. `removed`: words that are in no chunk, if any were removed at all. */
export type LineKind = 'one' | 'several' | 'none' | 'removed' | 'blank'

type Band = { start: number; lines: number } & Record<LineKind, number>

/** The lines of a text in bands of as many lines each, at most {@link MOST_BANDS}, however many lines there are. */
export class LineBands {
  #bands: Band[] = []
  #linesPerBand = 1

  add(start: number, kind: LineKind): void {
    let band = this.#bands.at(-1)
    if (!band || band.lines >= this.#linesPerBand) {
      if (this.#bands.length === MOST_BANDS) this.#halve()
      band = this.#bands.at(-1)
      if (!band || band.lines >= this.#linesPerBand) {
        band = { start, lines: 0, one: 0, several: 0, none: 0, removed: 0, blank: 0 }
        this.#bands.push(band)
      }
    }
    band.lines++
    band[kind]++
  }

  /** @param countsRemoved whether what may have been removed was: else these lines are blank */
  end(countsRemoved: boolean): {
    bands: TraceBand[]
    lines: { all: number; one: number; several: number; none: number; blank: number }
  } {
    const lines = { all: 0, one: 0, several: 0, none: 0, blank: 0 }
    const bands = this.#bands.map((band): TraceBand => {
      const line = lines.all + 1
      const none = band.none + (countsRemoved ? band.removed : 0)
      lines.all += band.lines
      lines.one += band.one
      lines.several += band.several
      lines.none += none
      lines.blank += band.blank + (countsRemoved ? 0 : band.removed)
      return { start: band.start, line, lines: band.lines, one: band.one, several: band.several, none }
    })
    return { bands, lines }
  }

  #halve(): void {
    this.#linesPerBand *= 2
    const halved: Band[] = []
    for (let at = 0; at < this.#bands.length; at += 2) {
      const [band, next] = [this.#bands[at]!, this.#bands[at + 1]]
      if (next)
        for (const name of ['lines', 'one', 'several', 'none', 'removed', 'blank'] as const)
          band[name] += next[name]
      halved.push(band)
    }
    this.#bands = halved
  }
}
