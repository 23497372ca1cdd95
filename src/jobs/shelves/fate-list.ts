import { CHUNK_FATES, type ChunkFate, type FateCounts, type FatedSource } from '../../contract/dry-run.ts'

/** Where some rows of one source are in the file, and how many there are of each fate, in the order of `CHUNK_FATES`. */
export type FateBlock = { at: number; bytes: number; counts: number[] }

/** The rows of one source. `revoked`: numbers of rows that were written as `updated` or `moved` and are `added`. */
export type SourceBlocks = { source: string; tokens: number; blocks: FateBlock[]; revoked: number[] }

/** How many chunks that would be updated are remembered, in case that another chunk takes their place. */
const REMEMBERED_UPDATES = 100_000

const numberOf = (fate: ChunkFate) => CHUNK_FATES.indexOf(fate)

/** How many rows of a block have a fate. Lists of earlier versions know fewer fates. */
const countOf = ({ counts }: FateBlock, fate: ChunkFate): number => counts[numberOf(fate)] ?? 0

const sizeOf = ({ counts }: FateBlock) => counts.reduce((sum, count) => sum + count, 0)

const rowsOf = ({ blocks }: SourceBlocks) => blocks.reduce((sum, block) => sum + sizeOf(block), 0)

/** Where each row of a list of fates is: a few numbers for each block of rows. */
export class FateList {
  readonly #sources = new Map<string, SourceBlocks>()
  /** How many rows each source has. */
  readonly #sizes = new Map<string, number>()
  /** Rows that take the place of a chunk of the store, by source and fingerprint. */
  readonly #updates = new Map<string, { row: number; fate: ChunkFate }[]>()
  #remembered = 0

  constructor(sources: readonly SourceBlocks[] = []) {
    for (const source of sources) this.#sources.set(source.source, source)
  }

  get sources(): SourceBlocks[] {
    return [...this.#sources.values()]
  }

  /** The sources with the most rows first; equal ones in the order of the run. */
  get largestFirst(): SourceBlocks[] {
    const sized = this.sources.map((source) => ({ source, rows: rowsOf(source) }))
    return sized.sort((one, other) => other.rows - one.rows).map(({ source }) => source)
  }

  /** Adds a block of rows at the end of the file. @param keys the fingerprint of the text of each row that may be revoked */
  add(
    source: string,
    block: { at: number; bytes: number },
    rows: readonly { fate: ChunkFate; tokens: number }[],
    keys?: readonly (string | undefined)[],
  ): void {
    const held = this.#sources.get(source) ?? { source, tokens: 0, blocks: [], revoked: [] }
    this.#sources.set(source, held)
    const first = this.#sizes.get(source) ?? 0
    this.#sizes.set(source, first + rows.length)
    const counts = CHUNK_FATES.map(() => 0)
    for (const [i, { fate, tokens }] of rows.entries()) {
      counts[numberOf(fate)]!++
      held.tokens += tokens
      const text = keys?.[i]
      const replaces = fate === 'updated' || fate === 'moved'
      if (!replaces || text === undefined || this.#remembered >= REMEMBERED_UPDATES) continue
      this.#remembered++
      const key = `${source}\n${text}`
      const places = this.#updates.get(key)
      if (places) places.push({ row: first + i, fate })
      else this.#updates.set(key, [{ row: first + i, fate }])
    }
    held.blocks.push({ ...block, counts })
  }

  /** One row of the source that took the place of another, with this fingerprint, is `added`. */
  revokeUpdate(source: string, key: string): void {
    const revoked = this.#updates.get(`${source}\n${key}`)?.pop()
    if (revoked === undefined) return
    const { row, fate } = revoked
    const held = this.#sources.get(source)!
    held.revoked.push(row)
    let first = 0
    for (const block of held.blocks) {
      const size = sizeOf(block)
      if (row < first + size) {
        block.counts[numberOf(fate)]!--
        block.counts[numberOf('added')]!++
        return
      }
      first += size
    }
  }

  count(source: SourceBlocks): FatedSource {
    const counts = CHUNK_FATES.map((fate) => [
      fate,
      source.blocks.reduce((sum, block) => sum + countOf(block, fate), 0),
    ])
    return { source: source.source, tokens: source.tokens, ...(Object.fromEntries(counts) as FateCounts) }
  }

  /** How many rows of all sources have which fate. */
  totals(): FateCounts {
    const totals = Object.fromEntries(CHUNK_FATES.map((fate) => [fate, 0])) as FateCounts
    for (const { blocks } of this.#sources.values())
      for (const block of blocks) for (const fate of CHUNK_FATES) totals[fate] += countOf(block, fate)
    return totals
  }

  /** The blocks with the rows of a page, each with the number of its first row within the source; and the count of all. */
  find({
    source,
    fate,
    offset,
    limit,
  }: {
    source?: string | undefined
    fate?: ChunkFate | undefined
    offset: number
    limit: number
  }) {
    const wanted = source === undefined ? this.sources : this.sources.filter((one) => one.source === source)
    const matching = (block: FateBlock) => (fate === undefined ? sizeOf(block) : countOf(block, fate))
    const found: { blocks: SourceBlocks; block: FateBlock; firstRow: number }[] = []
    let passed = 0
    /** How many matching rows of the first block are before the page. */
    let skip = 0
    for (const blocks of wanted) {
      let firstRow = 0
      for (const block of blocks.blocks) {
        const count = matching(block)
        if (count > 0 && passed + count > offset && passed < offset + limit) {
          if (found.length === 0) skip = offset - passed
          found.push({ blocks, block, firstRow })
        }
        passed += count
        firstRow += sizeOf(block)
      }
    }
    return { found, skip, total: passed }
  }
}
