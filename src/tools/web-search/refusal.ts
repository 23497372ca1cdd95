import type { ToolOutcome } from '../../contract/tool.ts'
import { type Json, parseJson } from '../../kit/json.ts'
import type { HttpAnswer } from '../call.ts'
import { valueAt } from './readings.ts'
import type { WebSearchService } from './service.ts'

/** Where services say what is wrong. */
const MESSAGES = ['error.message', 'error.detail', 'error', 'message', 'detail.error', 'detail', 'title']
const LONGEST_MESSAGE = 200

type Seen = {
  /** The answer could be read, and has no result. */
  empty: boolean
  needsKey: boolean
}

/** What a model reads where a service gave no results: a sentence that names the service. A page of HTML is never shown. */
export function refusalBy(
  { service, advice = {} }: Pick<WebSearchService, 'service' | 'advice'>,
  { status, headers, whole }: Pick<HttpAnswer, 'status' | 'headers' | 'whole'>,
  body: string,
  { empty, needsKey }: Seen,
): ToolOutcome {
  const said = saidIn(body)
  const because = said === undefined ? '' : `: ${said}`
  const failed = (sentence: string): ToolOutcome => ({
    output: [sentence, ...(advice[status] === undefined ? [] : [advice[status]])].join('. '),
    failed: true,
  })
  if (empty && (said === undefined || NOTHING.test(said)))
    return { output: `${service} found nothing for this question` }
  if (empty) return failed(`${service} gave no results${because}`)
  if (status === 401 || status === 403)
    return failed(
      `${service} refused ${needsKey ? 'the key' : 'the call'} (HTTP ${status})${because}${needsKey ? '. The credential of the node has to be checked' : ''}`,
    )
  if (status === 429) {
    const after = headers.get('retry-after')
    return failed(
      `${service} takes no more questions for now (HTTP 429)${because}${/^\d{1,6}$/.test(after ?? '') ? `. It asks to wait ${after} seconds` : ''}`,
    )
  }
  if (status >= 300) return failed(`${service} answered HTTP ${status}${because}`)
  if (!whole) return failed(`${service} answered with more than can be read`)
  if (isPage(body, headers))
    return failed(
      `${service} answered with a web page in place of results (HTTP ${status}): its address in the node may lead to something else`,
    )
  return failed(`${service} answered in another form than expected (HTTP ${status})${because}`)
}

const NOTHING = /\bno\b.{0,40}\bresults?\b|hasn't returned any results|not found/i

const isPage = (body: string, headers: Headers): boolean =>
  /^\s*</.test(body) || (headers.get('content-type') ?? '').includes('html')

/** One short line that the service says about a failure. */
function saidIn(body: string): string | undefined {
  const answer: Json | undefined = parseJson(body)
  const said = MESSAGES.map((path) => valueAt(answer, path)).find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof said === 'string' ? said.replace(/\s+/g, ' ').trim().slice(0, LONGEST_MESSAGE) : undefined
}
