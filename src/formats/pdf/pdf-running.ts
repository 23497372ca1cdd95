import type { PdfLine } from './pdf-lines.ts'

/** Pages before and after a page that are compared with it: enough for a book whose headers change with the chapter. */
export const PAGES_AROUND = 8

/**
 * Removes the running headers and footers of a document: text in the bands at the top and bottom that is equal, apart
 * from digits, on at least three of the neighbouring pages and on a third of them; in documents of two or three
 * pages, on all. The first occurrence is kept as plain text, so that no words are lost; page numbers are removed.
 *
 * @returns a function that is called page after page, with the page and its neighbours, itself included; it gives the
 *    lines that stay, and how many do not
 */
export function runningLineFilter(): (
  page: readonly PdfLine[],
  around: readonly (readonly PdfLine[])[],
) => WithoutRunning {
  const seen = new Set<string>()
  return (page, around) => {
    const running = runningTexts(around)
    const isSeen = (text: string) => seen.size === seen.add(text).size
    const kept: WithoutRunning = { lines: [], pageNumbers: 0, repeated: 0 }
    for (const line of page) {
      const text = masked(line)
      if (!line.isAtEdge || !running.has(text)) kept.lines.push(line)
      else if (PAGE_NUMBER.test(text)) kept.pageNumbers++
      else if (isSeen(text)) kept.repeated++
      else kept.lines.push({ ...line, isRunning: true })
    }
    return kept
  }
}

/** The lines of a page that stay, and how many page numbers and repeated lines were left out. */
export type WithoutRunning = { lines: PdfLine[]; pageNumbers: number; repeated: number }

function runningTexts(around: readonly (readonly PdfLine[])[]): Set<string> {
  const counts = new Map<string, number>()
  for (const lines of around) {
    const texts = lines.filter(({ isAtEdge }) => isAtEdge).map(masked)
    for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const least = around.length < 4 ? Math.max(2, around.length) : Math.max(3, around.length * 0.3)
  return new Set([...counts].flatMap(([text, count]) => (count >= least ? [text] : [])))
}

const masked = ({ text }: PdfLine): string => text.trim().toLowerCase().replaceAll(/\d+/g, '#')

/** A page number, alone or with a short word: `Page 3 of 9`. */
const PAGE_NUMBER = /^[^\p{L}#]*(?:\p{L}{1,5}[.:]?\s*)?#(?:\s*(?:\/|-|\p{L}{2,3})\s*#)?[^\p{L}#]*$/u
