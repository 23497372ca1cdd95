import type { Document } from '../contract/document.ts'
import type { LoaderItem } from '../contract/loader.ts'
import type { Egress } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { messageIn } from '../kit/provider/answer.ts'

/** A question to SearchApi, whose engine decides what it finds: pages, videos, words that are said in a video. */
export type SearchQuestion = {
  address: string
  /** What is asked, by the names of the service: `engine`, `q`, `video_id`. */
  parameters: JsonObject
  /** Called before the first request; undefined without a key. */
  key(): Promise<string | undefined>
}

/** What an answer says of itself. */
const ABOUT = new Set([
  'error',
  'pagination',
  'search_information',
  'search_metadata',
  'search_parameters',
  'available_languages',
])

/** The results of a search as one item, a document each; the words of a video are one document. */
export function searchResultsItem({ address, parameters, key }: SearchQuestion, egress: Egress): LoaderItem {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== '')
      url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  const source = url.href
  return {
    name: source,
    source,
    async *read(signal) {
      const secret = await key()
      const headers = {
        accept: 'application/json',
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      }
      const response = await egress.fetch(url, { headers, signal })
      const text = await response.text()
      const answer = response.ok ? parseJson(text) : undefined
      if (!isObject(answer)) {
        const said = messageIn(text)?.slice(0, 200)
        const reason = `the server answers ${response.status}${said === undefined ? '' : `: ${said}`}`
        throw new SluiceError('fetch_failed', { file: source, reason })
      }
      const parts = documentsIn(answer as JsonObject).map(({ pageContent, metadata }) => ({
        ...{ pageContent, metadata: { source, ...metadata } },
        last: true as const,
      }))
      yield { parts, notes: parts.length === 0 ? ['it found nothing'] : [] }
    },
  }
}

function documentsIn(answer: JsonObject): Document[] {
  const documents = Object.entries(answer).flatMap(([kind, found]): Document[] => {
    if (ABOUT.has(kind)) return []
    const metadata = { responseType: kind }
    if (kind === 'transcripts' && Array.isArray(found))
      return [{ pageContent: found.map(spoken).join(' '), metadata }]
    const results = Array.isArray(found) ? found : [found]
    return results.filter(isObject).map((one) => ({ pageContent: linesOf(one as JsonObject), metadata }))
  })
  return documents.filter(({ pageContent }) => pageContent.trim() !== '')
}

const spoken = (piece: Json): string => (isObject(piece) && typeof piece.text === 'string' ? piece.text : '')

/** A line for each value of a result that is no list and no object. */
const linesOf = (result: JsonObject): string =>
  Object.entries(result)
    .filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
