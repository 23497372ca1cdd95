import type { FastifyRequest } from 'fastify'
import { importAnswer, importBody, importQuery } from '../../api/flow-import.ts'
import { ifMatchHeader } from '../../api/flow-revision.ts'
import { deletionQuery } from '../../api/flow-summary.ts'
import {
  type FlowBody,
  flowList,
  flowListQuery,
  type FlowPatch,
  flowPatch,
  type NewFlow,
  newFlowBody,
  savedFlow,
  shownFlow,
} from '../../api/flow.ts'
import { idParams } from '../../api/params.ts'
import { JSON_COLUMNS, type FlowRow, type NewFlowRow, NO_KEY_YET } from '../../contract/flow-store.ts'
import { refuseLargeFlow } from '../../flow/flow-size.ts'
import { readGraph } from '../../flow/graph.ts'
import { exportedKey } from '../../flow/import/exported-key.ts'
import type { Imported } from '../../flow/import/import.ts'
import { drawTemplate } from '../../flow/templates/draw-template.ts'
import { findTemplate } from '../../flow/templates/templates.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'
import { toRange } from '../../kit/paging.ts'
import { slugOf } from '../../kit/slug.ts'
import { checkDrawing, problemsOfSaved, warningOf } from '../check-flow.ts'
import { deleteFlow, sweepFlow } from '../delete-flow.ts'
import { checkCredentials } from '../flow-credentials.ts'
import { importedKeyId, keyForImport, reportAccess } from '../imported-access.ts'
import { MANAGEMENT, isoTime, removalAnswer, removedRows, requestedPage } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { saveFlow, sendTag } from '../save-flow.ts'
import { documentStoreMark, newStoreConfig } from '../../flow/document-stores/mark.ts'
import { findFlow } from '../../flow/find-flow.ts'

/** Both take the same: the second is where clients of Flowise send the export of a server. */
const IMPORT_PATHS = [
  [
    '/api/v1/chatflows/import',
    'Create flows from an export of Sluice or Flowise; reports list what they still need',
  ],
  ['/api/v1/export-import/import', 'The same, where clients of Flowise send the export of a server'],
] as const

const PLAIN_COLUMNS = ['deployed', 'isPublic', 'category'] as const

const answer = { description: 'The flow', shape: shownFlow }

const savedAnswer = {
  description: 'The flow, and what would be refused if it were called now',
  shape: savedFlow,
}

export function chatflowRoutes(platform: Platform): Route[] {
  const { flows, keys } = platform

  const find = (id: string) => findFlow(flows, id)

  /** @param stored the key that the flow has now: a client may send back that of a deleted key */
  async function checkKey(id: string | null | undefined, stored?: string | null): Promise<void> {
    if (id && id !== stored && id !== NO_KEY_YET && !(await keys.find(id)))
      throw new SluiceError('key_not_found', { id })
  }

  /** @param from what the flow begins with */
  async function insert(body: FlowBody, request: FastifyRequest, from: Partial<NewFlowRow> = {}) {
    const now = Date.now()
    const fresh: NewFlowRow = {
      id: randomId(),
      type: 'CHATFLOW',
      flowData: '',
      config: {},
      apiKeyId: null,
      ...from,
      slug: body.slug ?? slugOf(body.name),
      name: body.name,
      createdAt: now,
      updatedAt: now,
    }
    const { caller: by } = await request.caller.forAudit()
    return flows.insert(patchedFlow(fresh, body, now), { makeUnique: body.slug == null, by })
  }

  /** A template gives a new flow its graph and, unless the body has one, its `apiConfig`. */
  function withGraph({ template, flowData, ...body }: NewFlow): FlowBody {
    if (template == null) return { ...body, flowData: flowData! }
    const drawn = drawTemplate(findTemplate(template), platform.catalog)
    return { ...body, flowData: drawn.flowData, apiConfig: body.apiConfig ?? drawn.apiConfig }
  }

  const presentSaved = async (flow: FlowRow) => ({
    ...presentFlow(flow),
    ...(await problemsOfSaved(platform, flow)),
  })

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/chatflows',
      summary:
        'All flows; for a key without manage, those that it may query or ask. A page of them with page or limit',
      access: 'key',
      pinned: 'harmless',
      query: flowListQuery,
      answer: { description: 'A list, or {data, total}', shape: flowList },
      async handle({ query, caller, may }) {
        const page = requestedPage(query)
        if ((await caller()) === 'manager') {
          const { rows, total } = await flows.list({ type: query.type, ...(page && toRange(page)) })
          return page ? { data: rows.map(presentFlow), total } : rows.map(presentFlow)
        }
        const { rows } = await flows.list({ type: query.type })
        const allowed = await Promise.all(
          rows.map(async (flow) => (await may('predict', flow)) || (await may('query', flow))),
        )
        const listed = rows.filter((_, index) => allowed[index]).map(presentListed)
        if (!page) return listed
        const { offset, limit } = toRange(page)
        return { data: listed.slice(offset, offset + limit), total: listed.length }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/chatflows',
      summary: 'Create a flow from a graph, from a template, or as a copy of another flow, with its key',
      body: newFlowBody,
      bodyMegabytes: 16,
      answer: savedAnswer,
      async handle({ body, request, reply }) {
        const { copyOf, ...given } = body
        const original = copyOf == null ? undefined : await find(copyOf)
        await checkKey(body.apikeyid, original?.apiKeyId)
        const row = withGraph({
          ...given,
          ...(original ? { flowData: given.flowData ?? original.flowData } : {}),
        })
        await checkCredentials(row.flowData, platform)
        const flow = await insert(row, request, original ? copiedFrom(original) : keyOfDrawing(row))
        sendTag(reply, flow)
        return presentSaved(flow)
      },
    }),
    ...IMPORT_PATHS.map(([url, summary]) =>
      route({
        ...MANAGEMENT,
        method: 'POST',
        url,
        summary,
        query: importQuery,
        body: importBody,
        bodyMegabytes: 50,
        answer: {
          description:
            'The flow and its report. For an export of several flows, the first of them; `imported` has all',
          shape: importAnswer,
        },
        async handle({ body, query, request }) {
          // What translates exports is loaded with the first one.
          const { insertBeside, presentReport, readExport } = await import('../import-flows.ts')
          const read = await readExport(platform, body)
          const { flows: found, others } = read
          if (query.name !== undefined && found.length > 1)
            throw new SluiceError('body_invalid', {
              reason: `the export has ${found.length} flows, which keep their names: leave name out`,
            })
          const bound = await keyForImport(platform, query.key)
          const kept = query.keepSettings !== 'false'
          await insertBeside(platform, read)
          const made: { one: Imported; flow: FlowRow }[] = []
          for (const one of found) {
            const { id, name, type, flowData, settings, key } = one
            const mark = documentStoreMark(settings?.apiConfig)
            const row = {
              name: query.name ?? name ?? 'Imported flow',
              flowData,
              type,
              ...(kept ? settings : mark ? { apiConfig: newStoreConfig(mark) } : {}),
            }
            const apiKeyId = importedKeyId(key, bound)
            made.push({
              one,
              flow: await insert(row, request, { ...(id === undefined ? {} : { id }), apiKeyId }),
            })
          }
          const ids = new Set(made.map(({ flow }) => flow.id))
          const imported = await Promise.all(
            made.map(async ({ one, flow }) => {
              const access = await reportAccess(platform, flow, { one, bound, imported: ids })
              const drawn = { flowData: flow.flowData, flowId: flow.id }
              const check = await checkDrawing(platform, drawn, one.rows)
              const { problems } = check
              return {
                flow: { ...presentFlow(flow), problems, warning: warningOf(problems) },
                report: presentReport(one, check, kept, access),
              }
            }),
          )
          return { ...imported[0]!, imported, others }
        },
      }),
    ),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/chatflows/:id',
      summary: 'One flow',
      params: idParams,
      answer,
      async handle({ params, reply }) {
        const flow = await find(params.id)
        sendTag(reply, flow)
        return presentFlow(flow)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url: '/api/v1/chatflows/:id',
      summary: 'Change a flow; absent fields stay as they are. With If-Match, only if it was not saved since',
      params: idParams,
      headers: ifMatchHeader,
      body: flowPatch,
      bodyMegabytes: 16,
      answer: savedAnswer,
      async handle({ params, body, request, reply }) {
        const saved = await saveFlow(flows, { id: params.id, request, reply }, async (stored) => {
          await checkKey(body.apikeyid, stored.apiKeyId)
          if (body.flowData !== undefined) await checkCredentials(body.flowData, platform)
          return patchedFlow(stored, body, Date.now())
        })
        return presentSaved(saved)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/chatflows/:id',
      summary:
        'Delete a flow with its chunks, jobs, upsert history and messages; it can be restored for thirty days',
      params: idParams,
      query: deletionQuery,
      answer: removalAnswer,
      async handle({ params, query }) {
        const deleted = query.now ? await flows.findDeleted(params.id) : undefined
        const stored = await flows.find(params.id)
        if (stored || !deleted) await deleteFlow(platform, stored ?? (await find(params.id)))
        if (query.now) await sweepFlow(platform, (stored ?? deleted)!.id)
        return removedRows(1)
      },
    }),
  ]
}

/** A copy has all that its original has, also the key that callers need: no copy is open that was made of a closed flow. */
const copiedFrom = ({ type, flowData, config, apiKeyId }: FlowRow) => ({ type, flowData, config, apiKeyId })

/** A drawing that is the file of an export says whether its flow needed a key. */
function keyOfDrawing({ apikeyid, flowData }: FlowBody): Partial<NewFlowRow> {
  if (apikeyid !== undefined) return {}
  const drawing = typeof flowData === 'string' ? parseJson(flowData) : flowData
  return {
    apiKeyId: importedKeyId(exportedKey({}, isObject(drawing) ? drawing.sluice : undefined), undefined),
  }
}

/** A flow with the fields of a patch; absent fields stay. @throws SluiceError `flow_invalid`, `body_invalid` */
export function patchedFlow<Row extends NewFlowRow>(flow: Row, body: FlowPatch, now: number): Row {
  const flowData =
    typeof body.flowData === 'object' ? JSON.stringify(body.flowData) : (body.flowData ?? flow.flowData)
  if (flowData !== flow.flowData) refuseLargeFlow(flowData)
  const graph = readGraph(flowData)
  const agentFlow = [...graph.nodes.values()].some((node) => node.category === 'Agent Flows')
  const config: JsonObject = { ...flow.config }
  for (const name of PLAIN_COLUMNS) {
    // A row that is sent back as it was answered holds false or null for what was never set.
    const value = body[name]
    if (value !== undefined && (value || config[name] !== undefined)) config[name] = value
  }
  for (const name of JSON_COLUMNS) {
    const value = body[name]
    if (value === undefined) continue
    config[name] = typeof value === 'string' ? readColumn(name, value) : (value as JsonObject | null)
  }
  return {
    ...flow,
    slug: body.slug ?? flow.slug,
    name: body.name ?? flow.name,
    type: body.type ?? (agentFlow ? 'AGENTFLOW' : flow.type),
    flowData,
    config,
    apiKeyId: body.apikeyid === undefined ? flow.apiKeyId : body.apikeyid || null,
    updatedAt: Math.max(now, flow.updatedAt),
  }
}

function readColumn(name: string, text: string) {
  if (text === '') return null
  const value = parseJson(text)
  if (value === undefined) throw new SluiceError('body_invalid', { reason: `${name} is not JSON text` })
  return value
}

/** The fields of a flow that a key without manage sees. */
const presentListed = (flow: FlowRow): JsonObject => ({
  id: flow.id,
  slug: flow.slug,
  name: flow.name,
  type: flow.type,
  category: flow.config.category ?? null,
  createdDate: isoTime(flow.createdAt),
  updatedDate: isoTime(flow.updatedAt),
})

/** A flow as clients of Flowise expect it. */
export function presentFlow(flow: FlowRow): JsonObject {
  const { config } = flow
  return {
    ...presentListed(flow),
    revision: flow.revision,
    flowData: flow.flowData,
    deployed: config.deployed ?? false,
    isPublic: config.isPublic ?? false,
    apikeyid: flow.apiKeyId,
    ...Object.fromEntries(
      JSON_COLUMNS.map((name) => [name, config[name] == null ? null : JSON.stringify(config[name])]),
    ),
  }
}
