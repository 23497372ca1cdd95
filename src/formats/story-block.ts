import { markdownTable, oneLine } from './markdown-table.ts'

/** A paragraph as markdown, or the rows of a table, whose cells hold blocks again. */
export type StoryBlock = string | StoryBlock[][][]

/** A block as markdown. Tables in cells become plain text: markdown has no table in a table. */
export function renderBlock(block: StoryBlock): string {
  if (typeof block === 'string') return block
  return markdownTable(block.map((row) => row.map(renderCell)))
}

function renderCell(blocks: readonly StoryBlock[]): string {
  const parts = blocks.map((block) =>
    typeof block === 'string'
      ? oneLine(block.replace(/^#+ /, ''))
      : block.map((row) => row.map(renderCell).join(' ')).join(' '),
  )
  return parts.filter((part) => part !== '').join(' ')
}
