import { exportChoice, type InstanceExport, instanceExport } from '../../api/export-import.ts'
import type { CustomToolRow } from '../../contract/custom-tool-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { documentStoreMark } from '../../flow/document-stores/mark.ts'
import { isSecretName, withoutTypedSecrets, writeFlowExport } from '../../flow/export/export-flow.ts'
import { writeStoreColumns } from '../../flow/export/export-store.ts'
import type { Json } from '../../kit/json.ts'
import { namedStoreUses } from '../document-stores/store-uses.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

type FlowList = 'ChatFlow' | 'AgentFlow' | 'AgentFlowV2' | 'AssistantFlow'
type ExportedFlowRow = InstanceExport['ChatFlow'][number]

/** The lists of flows in the file, with the type of their flows. */
const FLOW_LISTS: Readonly<Record<FlowList, string>> = {
  ChatFlow: 'CHATFLOW',
  AgentFlow: 'MULTIAGENT',
  AgentFlowV2: 'AGENTFLOW',
  AssistantFlow: 'ASSISTANT',
}

/** The lists of the file, with the choices that bring them. */
const CHOICES = {
  ChatFlow: ['chatflow'],
  AgentFlow: ['agentflow'],
  AgentFlowV2: ['agentflowv2'],
  AssistantFlow: ['assistant', 'assistantCustom'],
  Variable: ['variable'],
  Tool: ['tool'],
  DocumentStore: ['document_store'],
} as const

/** Flows, variables, custom tools and document stores as one file, as people move from one server to another. `chatflowRoutes` imports it. */
export function exportRoutes(platform: Platform): Route[] {
  const { flows, variables, customTools, catalog } = platform

  function exported(flow: FlowRow): ExportedFlowRow {
    const { sluice, ...drawing } = writeFlowExport(flow, catalog).file
    const asText = (column: Json) => (column === null ? null : JSON.stringify(column))
    return {
      id: flow.id,
      name: flow.name,
      type: flow.type,
      flowData: JSON.stringify(drawing),
      apikeyid: flow.apiKeyId,
      apiConfig: asText(sluice.apiConfig),
      chatbotConfig: asText(sluice.chatbotConfig),
      category: typeof sluice.category === 'string' ? sluice.category : null,
      createdDate: isoTime(flow.createdAt),
      updatedDate: isoTime(flow.updatedAt),
      sluice,
    }
  }

  async function storeRows(stores: readonly FlowRow[]): Promise<InstanceExport['DocumentStore']> {
    const uses = await namedStoreUses(platform, stores)
    return stores.map((store) => {
      const { id, name, ...row } = exported(store)
      const { flowData, apikeyid, createdDate, updatedDate, sluice } = row
      return {
        id,
        name,
        description: documentStoreMark(store.config.apiConfig)?.description ?? '',
        ...writeStoreColumns(store.flowData, flowData, catalog),
        whereUsed: JSON.stringify((uses.get(id) ?? []).map((user) => user.id).sort()),
        ...{ createdDate, updatedDate, flowData, apikeyid, sluice },
      }
    })
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/export-import/export',
      summary:
        'Flows, variables, custom tools and document stores as one file to import elsewhere, without keys, credentials and other secrets',
      body: exportChoice,
      answer: { description: 'The file', shape: instanceExport },
      async handle({ body }) {
        const all = Object.values(CHOICES).every((names) => names.every((name) => body[name] === undefined))
        const has = (list: keyof typeof CHOICES) => all || CHOICES[list].some((name) => body[name] === true)
        const rows = (await flows.list()).rows
        const isStore = ({ config }: FlowRow) => documentStoreMark(config.apiConfig) !== undefined
        const listed = (list: FlowList) =>
          has(list)
            ? rows.filter((flow) => flow.type === FLOW_LISTS[list] && !isStore(flow)).map(exported)
            : []
        return {
          FileDefaultName: 'ExportData.json',
          ChatFlow: listed('ChatFlow'),
          AgentFlow: listed('AgentFlow'),
          AgentFlowV2: listed('AgentFlowV2'),
          AssistantFlow: listed('AssistantFlow'),
          Variable: (has('Variable') ? await variables.list() : []).map(({ id, name, type, value }) => ({
            id,
            name,
            type,
            value: isSecretName(name) ? '' : value,
          })),
          Tool: (has('Tool') ? await customTools.list() : []).map(toolRow),
          DocumentStore: has('DocumentStore') ? await storeRows(rows.filter(isStore)) : [],
        }
      },
    }),
  ]
}

/** Code is exported as it is, like that of flows. */
const toolRow = ({ createdAt, updatedAt, ...tool }: CustomToolRow): InstanceExport['Tool'][number] => ({
  ...tool,
  iconSrc: String(withoutTypedSecrets(tool.iconSrc)),
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
})
