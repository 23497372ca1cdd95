import type { PdfLine } from './pdf-lines.ts'

/** So many pages before and after a page are looked at: enough for the chapters of a book, whose headers change. */
export const PAGES_AROUND = 8

/**
 * Takes running headers and footers out of the pages of one document: what stands in the bands at the top and bottom
 * of at least three of the pages around a page, and of a third of them, the same but for its numbers; of documents of
 * two or three pages what stands on all. The first of each is kept as plain text, so that no words are lost; numbers
 * of pages are not.
 *
 * @returns a function of a page and its neighbours, itself among them, that is called page after page
 */
export function runningLineFilter(): (
  page: readonly PdfLine[],
  around: readonly (readonly PdfLine[])[],
) => PdfLine[] {
  const met = new Set<string>()
  return (page, around) => {
    const running = runningTexts(around)
    const isMet = (text: string) => met.size === met.add(text).size
    return page.flatMap((line) => {
      const text = masked(line)
      if (!line.isAtEdge || !running.has(text)) return [line]
      return PAGE_NUMBER.test(text) || isMet(text) ? [] : [{ ...line, isRunning: true }]
    })
  }
}

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

/** A page number alone, or among the few words that go with it. */
const PAGE_NUMBER = /^[^\p{L}#]*(?:\p{L}{1,5}[.:]?\s*)?#(?:\s*(?:\/|-|\p{L}{2,3})\s*#)?[^\p{L}#]*$/u
