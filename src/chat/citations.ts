import { isObject } from '../kit/json.ts'
import type { StreamPart } from './sdk.ts'

/** The most pages that are listed, and the most characters of an address or a title. */
const [MOST, LONGEST] = [50, 500]

/** The pages that a body or a piece of a stream names: `search_results` with titles, else `citations`. */
export function citedPages(body: unknown): string[] {
  if (!isObject(body)) return []
  const { search_results: results, citations } = body
  const pages = (Array.isArray(results) && results.length > 0 ? results : citations) as unknown
  return (Array.isArray(pages) ? pages : []).slice(0, MOST).map((page) => {
    if (typeof page === 'string') return oneLine(page)
    const { title, url } = isObject(page) ? page : {}
    return [title, url]
      .filter((text) => typeof text === 'string' && text !== '')
      .map(oneLine)
      .join(': ')
  })
}

const oneLine = (text: unknown) => String(text).replace(/\s+/g, ' ').slice(0, LONGEST)

/** The parts of an answer, and before its end a list of the pages that it cites: `[1]` in the text is the first of them. */
export async function* withPages(
  parts: AsyncIterable<StreamPart>,
  pages: () => readonly string[],
): AsyncGenerator<StreamPart> {
  for await (const part of parts) {
    if (part.type === 'finish' && pages().length > 0) {
      const lines = pages().map((page, i) => `[${i + 1}] ${page}`)
      yield { type: 'text-delta', id: 'citations', delta: `\n\n${lines.join('\n')}` }
    }
    yield part
  }
}
