import type { TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.d.ts'

/** Where a line begins and ends and how high its letters are, in points from the lower left corner of the page. */
type Box = { x: number; right: number; y: number; height: number }

/** A line of a page as it is set. */
export type Line = Box & { text: string }

/**
 * The lines of a page in the order in which they were written into the file, which is nearly always the order in
 * which they are read. Lines of nothing but white space are left out.
 */
export function linesOf(items: readonly (TextItem | TextMarkedContent)[]): Line[] {
  const lines: Line[] = []
  let text = ''
  let box: Box | undefined
  const finish = () => {
    if (box) lines.push({ ...box, text })
    text = ''
    box = undefined
  }
  for (const item of items) {
    if (!('str' in item)) continue
    text += item.str
    // spaces and empty runs lie anywhere: a line begins where its first letter does
    if (item.str.trim() !== '') box = joined(box, boxOf(item))
    if (item.hasEOL) finish()
  }
  finish()
  return lines
}

function boxOf(item: TextItem): Box {
  const [, , c, d, x, y] = item.transform as [number, number, number, number, number, number]
  return { x, right: x + item.width, y, height: Math.hypot(c, d) || item.height }
}

const joined = (box: Box | undefined, next: Box): Box =>
  box ? { ...box, right: Math.max(box.right, next.right), height: Math.max(box.height, next.height) } : next
