import { flowParams } from '../../api/params.ts'
import { type QueryBody, queryBody, queryString } from '../../api/query.ts'
import { queryAnswers } from '../../api/query-answer.ts'
import type { ExpectedAnswer } from '../../api/expected.ts'
import type { Expected } from '../../contract/expected.ts'
import type { Fence } from '../../contract/fence.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { Warning } from '../../flow/apply-request.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { planRetrieval, type StorePlan, type StoreRequest } from '../../flow/plan-store.ts'
import { variableValues } from '../../flow/variables.ts'
import { flowEnvironment } from '../../kit/config.ts'
import { changeSentence, expectedSentence } from '../../retrieve/expected/expected-sentence.ts'
import type { ExpectedOutcome } from '../../retrieve/expected/find-expected.ts'
import type { RetrievalReport } from '../../retrieve/run.ts'
import type { RetrievalOverrides } from '../../retrieve/settings.ts'
import { fencedServices } from '../../stores/fenced-services.ts'
import { parseFilter } from '../../vector/filter.ts'
import { conversationCaller, requireOwnConversation } from '../chat/own-conversation.ts'
import { filterOfText, refuseNearFilter } from '../filter-request.ts'
import type { Platform } from '../platform.ts'
import type { QueryLatencies } from '../query-latencies.ts'
import { knownFields, unknownFields } from '../read-shape.ts'
import { type Route, route } from '../route.ts'
import { recordOfQuery } from '../runs/record-of-query.ts'

const answer = {
  description: 'The matching chunks, best first; for several queries a list of such answers',
  shape: queryAnswers,
}

/** @param times counts how long queries take */
export function queryRoutes(platform: Platform, times: QueryLatencies): Route[] {
  async function answerQueries(
    flow: FlowRow,
    body: QueryBody,
    {
      unknown,
      fence,
      signal,
      otherConversations = false,
    }: {
      unknown: readonly Warning[]
      fence: Fence | undefined
      signal: AbortSignal
      /** Whether the caller may know of chunks of other conversations. */
      otherConversations?: boolean
    },
  ) {
    const startedAt = performance.now()
    const plan = await planQuery(platform, flow, {
      fence,
      overrides: body.overrideConfig ?? {},
      ...(body.stopNodeId == null ? {} : { stopNodeId: body.stopNodeId }),
    })
    const { part, warnings: overrideWarnings } = plan
    const planned = performance.now()
    const queries = body.queries ?? [body.query!]
    const expect = expectedOf(body)
    const overrides = {
      ...retrievalOverrides(body),
      ...(expect ? { expect: { chunks: expect, otherConversations } } : {}),
    }
    let report: RetrievalReport | undefined
    const results = await platform.retriever.retrieve(part, queries, overrides, signal, (made) => {
      report = made
    })
    const absent = overrides.filter ? await part.store.absentFields(overrides.filter) : []
    const warnings = [...unknown, ...overrideWarnings, ...absent.map(absentFieldWarning)]
    const took = performance.now() - startedAt
    times.note(flow.id, took)
    const rest = {
      timeTaken: Math.round(took * 100) / 100,
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(report?.settings.explain
        ? { explanation: explain(report, planned - startedAt, part.embedder.id) }
        : {}),
      ...(body.record && report
        ? {
            run: recordOfQuery(flow, {
              ...{ plan, queries, results, report },
              ...{ planMs: planned - startedAt, ms: took },
            }),
          }
        : {}),
    }
    const found = results.map((docs, at) => {
      const readings = report?.readings[at] ?? []
      const words = report?.words[at]
      const below = report?.below[at]
      return {
        docs,
        ...(report?.expected ? { expected: expectedAnswer(report.expected) } : {}),
        ...(words ? { words } : {}),
        ...(below ? { below } : {}),
        ...(readings.length > 0 ? { readings } : {}),
        ...(report?.unlikely[at] ? { unlikely: true } : {}),
      }
    })
    return body.queries ? { results: found, ...rest } : { ...found[0]!, ...rest }
  }

  return [
    route({
      method: 'POST',
      url: '/api/v1/vector/query/:flowId',
      summary: 'Find the chunks of a flow that match one or several questions',
      tag: 'vectors',
      work: 'short',
      access: { flow: 'query' },
      pinned: 'fenced',
      params: flowParams,
      body: queryBody,
      // Room for a hundred queries of 100,000 characters.
      bodyMegabytes: 16,
      answer,
      async handle({ flow, body, caller, fence, spend, clientGone }) {
        refuseNearFilter(body)
        await requireOwnConversation(platform, { flow, caller, fence }, body.chatId)
        await spend('questions', body.queries?.length ?? 1)
        const [name, fenced] = await Promise.all([caller(), fence()])
        return answerQueries(flow, body, {
          unknown: unknownFields(body, queryBody),
          fence: fenced,
          signal: clientGone(),
          otherConversations: conversationCaller(flow, { name, fence: fenced }).anyOwner,
        })
      },
    }),
    route({
      method: 'GET',
      url: '/api/v1/vector/query/:flowId',
      summary: 'The same, with the question in the query string',
      tag: 'vectors',
      work: 'short',
      access: { flow: 'query' },
      pinned: 'fenced',
      params: flowParams,
      query: queryString,
      answer,
      async handle({ flow, query, caller, fence, spend, clientGone }) {
        refuseNearFilter(query)
        await requireOwnConversation(platform, { flow, caller, fence }, query.chatId)
        const filter = filterOfText(query.filter)
        await spend('questions', 1)
        return answerQueries(
          flow,
          { ...knownFields(query, queryString), filter, query: query.q },
          { unknown: unknownFields(query, queryString), fence: await fence(), signal: clientGone() },
        )
      },
    }),
  ]
}

/** The store of a flow within the fence of the caller, with the workspace's variables filled into its mandatory filter. */
export async function planQuery(
  { catalog, nodeServices, variables }: Pick<Platform, 'catalog' | 'nodeServices' | 'variables'>,
  flow: FlowRow,
  { fence, ...request }: Omit<StoreRequest, 'variables'> & { fence: Fence | undefined },
): Promise<StorePlan> {
  const services = { catalog, nodeServices: fencedServices(nodeServices, fence) }
  const values = await variableValues(variables, flowEnvironment)
  const plan = planRetrieval(services, flowSource(flow), { ...request, variables: values })
  return plan.part.open ? { ...plan, part: await plan.part.open() } : plan
}

/** The fields that override a setting of the store as they are. */
const PLAIN_OVERRIDES = [
  'topK',
  'mode',
  'fusion',
  'weight',
  'minScore',
  'nearDuplicates',
  'rerank',
  'spelling',
  'rescore',
  'includeVectors',
  'highlight',
  'explain',
] as const

/** The settings in a body. For an absent or empty field the setting of the flow is used. */
export function retrievalOverrides(body: QueryBody): RetrievalOverrides {
  const { filter, mmr, chatId } = body
  return withoutNull({
    ...pick(body, PLAIN_OVERRIDES),
    chatId: chatId || undefined,
    history: body.history?.length ? body.history : undefined,
    filter: filter == null || Object.keys(filter).length === 0 ? undefined : parseFilter(filter),
    mmr: typeof mmr === 'object' && mmr !== null ? withoutNull(mmr) : mmr === true ? {} : mmr,
  })
}

/** What the body expects to find; undefined for nothing. */
function expectedOf({ expect }: QueryBody): Expected | undefined {
  if (expect?.source != null) return { source: expect.source }
  return expect?.chunk == null ? undefined : { chunk: expect.chunk }
}

/** What became of an expected chunk, with sentences for people. */
function expectedAnswer(made: ExpectedOutcome): ExpectedAnswer {
  const { isUnsettled: _, chunk, ...outcome } = made
  return {
    found: outcome.place !== null,
    ...outcome,
    chunk: chunk ?? null,
    reason: expectedSentence(made),
    remedy: changeSentence(made) ?? null,
  }
}

const pick = <T extends object, const Name extends keyof T>(value: T, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<T, Name>

type WithoutNull<T> = { [Name in keyof T]?: Exclude<T[Name], null | undefined> }

/** A copy without the fields that are null or undefined. */
const withoutNull = <T extends object>(value: T): WithoutNull<T> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field != null)) as WithoutNull<T>

function explain({ settings, stages }: RetrievalReport, planMs: number, embedder: string) {
  const { topK, mode, fusion, weight, metric, minScore, nearDuplicates, mmr } = settings
  const { reranker, spelling, rescore, filter } = settings
  const rounded = (ms: number) => Math.round(ms * 100) / 100
  return {
    settings: {
      ...{ topK, mode, fusion, weight, metric },
      ...(minScore === undefined ? {} : { minScore }),
      ...(nearDuplicates === undefined ? {} : { nearDuplicates }),
      ...(mmr === undefined ? {} : { mmr }),
      reranker: reranker !== undefined,
      spelling,
      rescore,
      filtered: filter !== undefined,
      embedder,
    },
    stages: {
      plan: rounded(planMs),
      embed: rounded(stages.embed),
      search: rounded(stages.search),
      rescore: rounded(stages.rescore),
      choose: rounded(stages.choose),
      highlight: rounded(stages.highlight),
      ...(stages.expect === undefined ? {} : { expect: rounded(stages.expect) }),
    },
  }
}

const absentFieldWarning = (field: string): Warning => ({
  key: 'filter',
  reason: `no chunk has the metadata field ${field}`,
})
