import { exportChoice, type InstanceExport, instanceExport } from '../../api/export-import.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { isSecretName, writeFlowExport } from '../../flow/export/export-flow.ts'
import type { Json } from '../../kit/json.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

/** The lists of flows in the file, with the type of their flows and the choice that has them. */
const FLOW_LISTS = {
  ChatFlow: { type: 'CHATFLOW', choice: 'chatflow' },
  AgentFlow: { type: 'MULTIAGENT', choice: 'agentflow' },
  AgentFlowV2: { type: 'AGENTFLOW', choice: 'agentflowv2' },
  AssistantFlow: { type: 'ASSISTANT', choice: 'assistant' },
} as const

/** All flows and variables as one file, as people move from one server to another. The file is imported by `chatflowRoutes`. */
export function exportRoutes({ flows, variables, catalog }: Platform): Route[] {
  const exported = (flow: FlowRow): InstanceExport['ChatFlow'][number] => {
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

  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/export-import/export',
      summary:
        'Flows and variables as one file to import elsewhere, without keys, credentials and other secrets',
      body: exportChoice,
      answer: { description: 'The file', shape: instanceExport },
      async handle({ body }) {
        const names = [...Object.values(FLOW_LISTS).map(({ choice }) => choice), 'variable'] as const
        const all = names.every((name) => body[name] === undefined)
        const rows = (await flows.list()).rows
        const lists = Object.entries(FLOW_LISTS).map(([list, { type, choice }]) => [
          list,
          all || body[choice] === true ? rows.filter((flow) => flow.type === type).map(exported) : [],
        ])
        const listed = all || body.variable === true ? await variables.list() : []
        return {
          FileDefaultName: 'ExportData.json',
          ...(Object.fromEntries(lists) as Record<keyof typeof FLOW_LISTS, InstanceExport['ChatFlow']>),
          Variable: listed.map(({ id, name, type, value }) => ({
            id,
            name,
            type,
            value: isSecretName(name) ? '' : value,
          })),
        }
      },
    }),
  ]
}
