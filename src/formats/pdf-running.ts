import type { Line } from './pdf-lines.ts'

/** So many pages before and after a page are looked at: enough for the chapters of a book, whose headers change. */
export const PAGES_AROUND = 8

/**
 * The lines of a page without its running header and footer: what stands in the bands at the top and bottom of at
 * least four of the pages around it, and of a third of them, the same but for its numbers.
 *
 * @param around the page and its neighbours
 */
export function withoutRunningLines(page: readonly Line[], around: readonly (readonly Line[])[]): Line[] {
  const counts = new Map<string, number>()
  for (const neighbour of around) {
    const texts = neighbour.filter(({ isAtEdge }) => isAtEdge).map(masked)
    for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const least = Math.max(4, around.length * 0.3)
  return page.filter((line) => !line.isAtEdge || counts.get(masked(line))! < least)
}

const masked = ({ text }: Line): string => text.trim().toLowerCase().replaceAll(/\d+/g, '#')
