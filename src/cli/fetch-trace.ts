import type { SourceQuestionsAnswer, SourceTraceAnswer, TextGapAnswer } from '../api/source-trace.ts'
import { ServerRefusal } from './failure.ts'
import type { Client } from './http.ts'
import { readAnswer } from './read-answer.ts'

/** The most places of one answer. */
const PAGE = 1000

const pathOf = (flow: string, source: string, what: 'trace' | 'questions') =>
  `vector/sources/${encodeURIComponent(flow)}/${what}?source=${encodeURIComponent(source)}`

/** Where the words of a source went, with all places that the server knows. */
export async function fetchTrace(client: Client, flow: string, source: string): Promise<SourceTraceAnswer> {
  const gaps: TextGapAnswer[] = []
  for (let page = 1; ; page++) {
    const trace: SourceTraceAnswer = await readAnswer(
      client.send('GET', `${pathOf(flow, source, 'trace')}&limit=${PAGE}&page=${page}`),
      async () => (await import('../api/source-trace.ts')).sourceTrace,
      'the trace of a source',
    )
    gaps.push(...trace.gaps.data)
    if (trace.gaps.data.length < PAGE) return { ...trace, gaps: { data: gaps, total: gaps.length } }
  }
}

/** Which questions have found the chunks of a source; undefined for a key that may not read conversations. */
export async function fetchQuestions(
  client: Client,
  flow: string,
  source: string,
): Promise<SourceQuestionsAnswer | undefined> {
  try {
    return await readAnswer(
      client.send('GET', pathOf(flow, source, 'questions')),
      async () => (await import('../api/source-trace.ts')).sourceQuestions,
      'the questions that found a source',
    )
  } catch (error) {
    if (error instanceof ServerRefusal && (error.status === 401 || error.status === 403)) return undefined
    throw error
  }
}
