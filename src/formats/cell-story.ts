import type { Extraction } from './extraction.ts'
import { oneLine } from './markdown-table.ts'
import { renderBlock, type StoryBlock } from './story-block.ts'

/** The structure of a paragraph. */
export type ParagraphShape = {
  /** Level 1 to 9 of a heading. */
  heading?: number | undefined
  /** The text before an item of a list, `-` for a bullet. */
  marker?: string | undefined
  /** The level of the list, from 0. */
  level?: number
  /** In how many tables it is. */
  depth: number
}

type OpenTable = { rows: StoryBlock[][][]; row: StoryBlock[][]; cell: StoryBlock[] }

/**
 * Collects the blocks of a text whose paragraphs say in how many tables they are, and whose cells and rows end with
 * marks: rich text and the Word format before 2007.
 */
export class CellStory {
  readonly #source: Extraction
  readonly #blocks: StoryBlock[] = []
  readonly #tables: OpenTable[] = []

  constructor(source: Extraction) {
    this.#source = source
  }

  /** Adds a paragraph as markdown, if it has text. */
  paragraph(given: string, { heading, marker = '', level = 0, depth }: ParagraphShape): void {
    const text = given.trim()
    if (text === '') return
    this.#source.countText(text.length + marker.length + 2)
    if (heading !== undefined) {
      const number = marker === '' || marker === '-' ? '' : `${marker} `
      this.put(`${'#'.repeat(Math.min(6, Math.max(1, heading)))} ${number}${oneLine(text)}`, depth)
    } else if (marker === '') this.put(text, depth)
    else this.put(`${'  '.repeat(Math.min(8, Math.max(0, level)))}${marker} ${text}`, depth)
  }

  /** Adds a block to the open cell of the table at a depth; 0 is outside of all tables. */
  put(block: StoryBlock, depth: number): void {
    this.#reach(depth)
    const blocks = depth === 0 ? this.#blocks : this.#tables[depth - 1]!.cell
    blocks.push(block)
  }

  endCell(depth: number): void {
    this.#reach(depth)
    const table = this.#tables[depth - 1]!
    this.#source.countText(3)
    table.row.push(table.cell)
    table.cell = []
  }

  endRow(depth: number): void {
    this.#reach(depth)
    const table = this.#tables[depth - 1]!
    if (table.cell.length > 0) this.endCell(depth)
    if (table.row.length > 0) table.rows.push(table.row)
    table.row = []
  }

  /** The blocks as markdown, after the end of the text. */
  end(): string[] {
    this.#reach(0)
    return this.#blocks.map(renderBlock)
  }

  /** In how many tables the last block was. */
  get depth(): number {
    return this.#tables.length
  }

  /** Ends tables that are deeper, and begins those that are missing. */
  #reach(depth: number): void {
    while (this.#tables.length > depth) {
      const { rows, row, cell } = this.#tables.pop()!
      if (cell.length > 0) row.push(cell)
      if (row.length > 0) rows.push(row)
      const around = this.#tables.at(-1)?.cell ?? this.#blocks
      const isSingleCell = rows.length === 1 && rows[0]!.length === 1
      if (isSingleCell) for (const block of rows[0]![0]!) around.push(block)
      else if (rows.some((cells) => cells.some((blocks) => blocks.length > 0))) around.push(rows)
    }
    while (this.#tables.length < depth) this.#tables.push({ rows: [], row: [], cell: [] })
  }
}

/** The most tables in tables that are kept apart. */
export const MAX_TABLE_DEPTH = 20
