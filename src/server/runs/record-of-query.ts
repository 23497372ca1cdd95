import { RUN_FORMAT, type RunAnswer, type RunSpanAnswer } from '../../api/run.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { LINE_ITEMS, type RunLine } from '../../contract/run-line.ts'
import { sourceOf } from '../../documents/citation.ts'
import type { StorePlan } from '../../flow/plan-store.ts'
import { randomId } from '../../kit/hash.ts'
import type { Retrieved } from '../../retrieve/answer.ts'
import type { RetrievalReport } from '../../retrieve/run.ts'
import { isoTime } from '../management.ts'
import { ranDrawing } from './drawing-of-run.ts'
import { titleOf } from './title-of.ts'

/** How many hits of a query are in its record, and how many characters of their texts. */
const HITS = 5
const TEXT = 160

const STAGES = [
  ['embed', 'Embed'],
  ['search', 'Search and rank'],
  ['rescore', 'Rescore'],
  ['choose', 'Choose'],
  ['highlight', 'Highlight'],
] as const

type AnsweredQuery = {
  plan: StorePlan
  queries: readonly string[]
  results: readonly (readonly Retrieved[])[]
  report: RetrievalReport
  /** In milliseconds: until the flow was read, and in all. */
  planMs: number
  ms: number
}

/** The record of a query. It is not kept: it is the caller's. */
export function recordOfQuery(
  flow: FlowRow,
  { plan, queries, results, report, planMs, ms }: AnsweredQuery,
): RunAnswer {
  const { part, nodeIds } = plan
  const [storeId, embedderId] = [nodeIds?.get(part.store), nodeIds?.get(part.embedder)]
  const nodeOf = (id: string | undefined) => (id === undefined ? {} : { nodeId: id })
  const notAgain = 'a query is sent again as a whole'
  const searches = queries.map((query, at): RunSpanAnswer => {
    const hits = results[at] ?? []
    return {
      ...{ id: at + 1, kind: 'search', name: part.store.namespace, status: 'FINISHED' },
      ...{ ...nodeOf(storeId), offset: planMs, ms: ms - planMs, query, hits: hits.length, notAgain },
      sources: hits.slice(0, HITS).map(({ metadata, score, scores, pageContent }) => ({
        source: sourceOf(metadata),
        score,
        vector: scores.vector,
        keyword: scores.keyword,
        text: pageContent.slice(0, TEXT),
      })),
    }
  })
  let offset = planMs
  const stages = STAGES.flatMap(([stage, name]): RunSpanAnswer[] => {
    const took = report.stages[stage]
    const began = offset
    offset += took
    if (took === 0) return []
    const id = stage === 'embed' ? embedderId : storeId
    return [
      {
        ...{ id: 0, parent: 1, kind: 'stage', name, status: 'FINISHED' },
        ...nodeOf(id),
        offset: began,
        ms: took,
        notAgain,
      },
    ]
  }).map((span, at) => ({ ...span, id: queries.length + 1 + at }))
  const taking = new Map([
    [embedderId, { ms: report.stages.embed, counts: { questions: queries.length } }],
    [
      storeId,
      { ms: report.stages.search, counts: { hits: results.reduce((sum, { length }) => sum + length, 0) } },
    ],
  ])
  const line: RunLine | undefined =
    storeId === undefined || embedderId === undefined
      ? undefined
      : {
          ...{ from: embedderId, to: storeId, unit: 'questions', count: queries.length },
          items: queries
            .slice(-LINE_ITEMS)
            .map((text) => ({ title: 'A question', text: text.slice(0, TEXT) })),
        }
  return {
    format: RUN_FORMAT,
    ...{ id: randomId(), kind: 'query', state: 'FINISHED', title: titleOf(queries[0] ?? '') },
    ...{ startedAt: isoTime(Date.now() - ms), ms, flow: { id: flow.id, name: flow.name }, drawing: 'same' },
    nodes: ranDrawing(flow.flowData).nodes.flatMap(({ id, label, name }) => {
      const work = taking.get(id)
      return work ? [{ id, label, name, state: 'FINISHED' as const, ...work }] : []
    }),
    lines: line ? [line] : [],
    spans: [...searches, ...stages],
    omittedSpans: 0,
  }
}
