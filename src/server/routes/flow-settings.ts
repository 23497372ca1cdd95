import { exportedFlow, exportQuery } from '../../api/flow-import.ts'
import { ifMatchHeader } from '../../api/flow-revision.ts'
import { changedFlow, settingsPatch, settingsShape, templateList } from '../../api/flow-settings.ts'
import { idParams } from '../../api/params.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { credentialKindsOf } from '../../flow/credentials.ts'
import { writeFlowExport } from '../../flow/export/export-flow.ts'
import { changeSettings, type Settable } from '../../flow/settings/change-settings.ts'
import { checkParts } from '../../flow/settings/check-parts.ts'
import { describeSettings } from '../../flow/settings/describe-settings.ts'
import { drawTemplate } from '../../flow/templates/draw-template.ts'
import { TEMPLATES } from '../../flow/templates/templates.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { problemsOfSaved } from '../check-flow.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { saveFlow } from '../save-flow.ts'
import { usedNamespaces } from '../stored-flow.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { presentFlow } from './chatflows.ts'

/** Settings of flows by short names, for people who type them; templates; exports. */
export function flowSettingRoutes(platform: Platform): Route[] {
  const { flows, keys, credentials, catalog } = platform

  const find = (id: string) => findFlow(flows, id)

  /** The numbers of documents and chunks of a flow, and the flows that share its namespaces. */
  async function contentsOf(flow: FlowRow) {
    const used = await usedNamespaces(flow, platform)
    const counts = await Promise.all(
      used.map(async ({ namespace }) => {
        const store = platform.stores.open(namespace)
        const page = { offset: 0, limit: 1 }
        return [(await store.sources(page)).total, (await store.chunks(page)).total] as const
      }),
    )
    return {
      sources: counts.reduce((sum, [sources]) => sum + sources, 0),
      chunks: counts.reduce((sum, [, chunks]) => sum + chunks, 0),
      sharedWith: [...new Set(used.flatMap(({ sharedWith }) => sharedWith))],
    }
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/flow-templates',
      summary: 'Templates for new flows; POST /api/v1/chatflows takes the name of one as template',
      answer: {
        description: 'The templates',
        shape: templateList,
      },
      handle: async () =>
        TEMPLATES.map((template) => {
          const nodes = Object.entries(template.nodes)
          const cards = nodes.map(([, { name }]) => catalog.get(name))
          return {
            name: template.name,
            title: template.title,
            about: template.about,
            type: drawTemplate(template, catalog).type,
            nodes: nodes.map(([id, { name }]) => ({ id, name, label: catalog.get(name)!.label })),
            asks: [...(template.asks ?? [])],
            questions: (template.asks ?? []).map((key) => ({
              key,
              label: cards.find((card) => card?.fields[key])?.fields[key]?.label ?? key,
            })),
            credentialKinds: [...new Set(cards.flatMap(credentialKindsOf))],
          }
        }),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/chatflows/:id/settings',
      summary: 'The settings of a flow, node by node, without secrets',
      params: idParams,
      answer: {
        description: 'The settings',
        shape: settingsShape,
      },
      async handle({ params }) {
        const flow = await find(params.id)
        const { id, slug, name, type, apiKeyId, flowData } = flow
        const key =
          apiKeyId === null ? null : { id: apiKeyId, name: (await keys.find(apiKeyId))?.name ?? null }
        return {
          id,
          slug,
          name,
          type,
          key,
          holds: await contentsOf(flow),
          ...describeSettings({ flowData, apiConfig: apiConfigOf(flow) }, catalog),
        }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PATCH',
      url: '/api/v1/chatflows/:id/settings',
      summary:
        'Change settings by name: uploads, overrides, override.INPUT, key, credential, rateLimit, or any input of a node',
      params: idParams,
      headers: ifMatchHeader,
      body: settingsPatch,
      bodyMegabytes: 16,
      answer: {
        description: 'The flow and the changed settings',
        shape: changedFlow,
      },
      async handle({ params, body, request, reply }) {
        const known = { catalog, keys: await keys.list(), credentials: await credentials.list() }
        let made: ReturnType<typeof changeSettings>['changes'] = []
        const saved = await saveFlow(flows, { id: params.id, request, reply }, (stored) => {
          const { flow, changes, touched } = changeSettings(settableOf(stored), body.set, known)
          checkParts(touched, { ...platform.nodeServices, flowId: stored.id })
          made = changes
          if (changes.length === 0) return stored
          return {
            ...stored,
            name: flow.name,
            slug: flow.slug,
            flowData: flow.flowData,
            config: { ...stored.config, apiConfig: flow.apiConfig },
            apiKeyId: flow.apiKeyId,
            updatedAt: Math.max(Date.now(), stored.updatedAt),
          }
        })
        return { flow: { ...presentFlow(saved), ...(await problemsOfSaved(platform, saved)) }, changes: made }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/chatflows/:id/export',
      summary:
        'A flow as a file to import: graph, overrides, uploads and limits, without keys and secrets; of its live drawing, or with draft=true of its draft',
      params: idParams,
      query: exportQuery,
      answer: {
        description: 'The file, and the inputs that it does not contain',
        shape: exportedFlow,
      },
      async handle({ params, query }) {
        const flow = await find(params.id)
        if (!query.draft) return writeFlowExport(flow, catalog)
        const draft = await platform.flowDrafts.find(flow.id)
        if (!draft) throw new SluiceError('draft_not_found', { flow: flow.slug })
        return writeFlowExport({ ...flow, flowData: draft.flowData }, catalog)
      },
    }),
  ]
}

const apiConfigOf = ({ config }: FlowRow): JsonObject =>
  isObject(config.apiConfig) ? (config.apiConfig as JsonObject) : {}

const settableOf = (row: FlowRow): Settable => ({
  name: row.name,
  slug: row.slug,
  flowData: row.flowData,
  apiConfig: apiConfigOf(row),
  apiKeyId: row.apiKeyId,
})
