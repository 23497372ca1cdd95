import { flowParams } from '../../api/params.ts'
import { queryAnswers, type QueryBody, queryBody, queryString } from '../../api/query.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Warning } from '../../flow/overrides.ts'
import type { RetrievalOverrides } from '../../retrieve/settings.ts'
import { parseFilter } from '../../vector/filter.ts'
import { planFlowRetrieval } from '../stored-flow.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { unknownFields } from '../read-shape.ts'

const answer = {
  description: 'The matching chunks, best first; for several queries a list of such answers',
  shape: queryAnswers,
}

export function queryRoutes(platform: Platform): Route[] {
  async function answerQueries(
    flow: FlowRow,
    body: QueryBody,
    unknown: readonly Warning[],
    signal: AbortSignal,
  ) {
    const began = performance.now()
    const { part, warnings: ofOverrides } = await planFlowRetrieval(platform, flow, {
      overrides: body.overrideConfig ?? {},
      ...(body.stopNodeId == null ? {} : { stopNodeId: body.stopNodeId }),
    })
    const queries = body.queries ?? [body.query!]
    const asked = askedIn(body)
    const results = await platform.retriever.retrieve(part, queries, asked, signal)
    const absent = asked.filter ? await part.store.absentFields(asked.filter) : []
    const warnings = [...unknown, ...ofOverrides, ...absent.map(absentWarning)]
    const rest = {
      timeTaken: Math.round((performance.now() - began) * 100) / 100,
      ...(warnings.length > 0 ? { warnings } : {}),
    }
    return body.queries
      ? { results: results.map((docs) => ({ docs })), ...rest }
      : { docs: results[0]!, ...rest }
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/query/:flowId',
      summary: 'The chunks of a flow that match a question',
      tag: 'vectors',
      access: { flow: 'query' },
      params: flowParams,
      body: queryBody,
      // A hundred queries of 100,000 characters.
      bodyMegabytes: 16,
      answer,
      handle: ({ flow, body, clientGone }) =>
        answerQueries(flow, body, unknownFields(body, queryBody), clientGone()),
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/query/:flowId',
      summary: 'The same with the question in the address',
      tag: 'vectors',
      access: { flow: 'query' },
      params: flowParams,
      query: queryString,
      answer,
      handle({ flow, query, clientGone }) {
        const { q, topK, mode, fusion, weight, minScore, chatId } = query
        const { mmr, nearDuplicates, rerank, highlight } = query
        const body = {
          ...{ query: q, topK, mode, fusion, weight, minScore, chatId },
          mmr: isTrue(mmr),
          nearDuplicates: isTrue(nearDuplicates),
          rerank: isTrue(rerank),
          highlight: isTrue(highlight),
        }
        return answerQueries(flow, body, unknownFields(query, queryString), clientGone())
      },
    }),
  ]
}

const absentWarning = (field: string): Warning => ({
  key: 'filter',
  reason: `no chunk has the metadata field ${field}`,
})

const isTrue = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

/** What a body asks; what it leaves out, or leaves empty, the flow says. */
function askedIn(body: QueryBody): RetrievalOverrides {
  const {
    filter,
    mmr,
    topK,
    mode,
    fusion,
    weight,
    minScore,
    nearDuplicates,
    rerank,
    includeVectors,
    chatId,
    highlight,
  } = body
  return withoutEmpty({
    topK,
    mode,
    fusion,
    weight,
    minScore,
    nearDuplicates,
    rerank,
    includeVectors,
    chatId: chatId || undefined,
    highlight,
    filter: filter == null || Object.keys(filter).length === 0 ? undefined : parseFilter(filter),
    mmr: typeof mmr === 'object' && mmr !== null ? withoutEmpty(mmr) : mmr === true ? {} : mmr,
  })
}

type WithoutEmpty<T> = { [Name in keyof T]?: Exclude<T[Name], null | undefined> }

/** The same without what is null or undefined. */
const withoutEmpty = <T extends object>(given: T): WithoutEmpty<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as WithoutEmpty<T>
