import type { FileState, JobFile } from '../contract/job.ts'
import type { FileOutcome } from './outcome.ts'

/** How many reasons of warnings a row has. */
const SHOWN_WARNINGS = 10

const waiting = (name: string): JobFile => ({
  name,
  state: 'waiting',
  chunks: 0,
  added: 0,
  updated: 0,
  skipped: 0,
  deleted: 0,
  warnings: [],
  ms: null,
})

/** The rows of the files of one run, in their order. Readers see them change while the run goes on. */
export class FileRows {
  /** One list, which changes. */
  readonly rows: JobFile[]
  readonly #begun: number[] = []

  /** @param uploads the names of the first files of the run, which are known from the start */
  constructor(uploads: readonly { name: string }[] = []) {
    this.rows = uploads.map(({ name }) => waiting(name))
  }

  begin(place: number, name: string): void {
    // Items end in any order, but they begin in their own.
    while (this.rows.length < place) this.rows.push(waiting(''))
    this.rows[place] = { ...waiting(name), state: 'reading' }
    this.#begun[place] = performance.now()
  }

  #row(place: number, name: string): JobFile {
    if (this.rows[place] === undefined) this.begin(place, name)
    return this.rows[place]!
  }

  addChunks(place: number, count: number): void {
    this.rows[place]!.chunks += count
  }

  warn(place: number, name: string, reason: string): void {
    const { warnings } = this.#row(place, name)
    if (warnings.length < SHOWN_WARNINGS) warnings.push(reason)
  }

  end(place: number, { name, status, chunks, dropped, code, message }: FileOutcome): void {
    const row = this.#row(place, name)
    row.state = status satisfies FileState
    row.chunks = chunks
    row.ms = Math.round(performance.now() - (this.#begun[place] ?? performance.now()))
    if (dropped !== undefined) row.dropped = dropped
    if (code !== undefined) row.code = code
    if (message !== undefined) row.message = message
  }

  /** Takes the counts of the outcomes, once all items were read. */
  count(outcomes: readonly FileOutcome[]): void {
    for (const [place, { added, updated, skipped, deleted, outdated }] of outcomes.entries())
      if (this.rows[place])
        Object.assign(this.rows[place], {
          ...{ added, updated, skipped, deleted },
          ...(outdated === undefined ? {} : { outdated }),
        })
  }
}
