import type { FlowAnswer } from '../../src/api/flow.ts'
import type { ImportAnswer } from '../../src/api/flow-import.ts'
import type { SettingsAnswer, TemplateAnswer } from '../../src/api/flow-settings.ts'
import { call } from './call.ts'

export type Flow = FlowAnswer
export type FlowImport = ImportAnswer
export type FlowTemplate = TemplateAnswer

const FLOWS = '/api/v1/chatflows'
const one = (id: string) => `${FLOWS}/${encodeURIComponent(id)}`

export const listFlows = (): Promise<Flow[]> => call(FLOWS)
export const getFlow = (id: string): Promise<Flow> => call(one(id))
export const listTemplates = (): Promise<FlowTemplate[]> => call('/api/v1/flow-templates')

export type NewFlow = { name: string } & ({ template: string } | { flowData: string; type: string })
export const createFlow = (flow: NewFlow): Promise<Flow> => call(FLOWS, { method: 'POST', body: flow })

/** @param revision the one that the change is based on. @throws ServerFailure 412 if there is a newer one */
export const changeFlow = (
  id: string,
  change: { name?: string; flowData?: string },
  revision: number | undefined,
): Promise<Flow> => call(one(id), { method: 'PUT', body: change, revision })

export const deleteFlow = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })

/** A copy with the settings of the flow, but without its key: the copy is open until it gets one. */
export async function duplicateFlow(id: string): Promise<Flow> {
  const { name, type, flowData, apiConfig, chatbotConfig, category } = await getFlow(id)
  const body = { name: `Copy of ${name}`.slice(0, 200), type, flowData, apiConfig, chatbotConfig, category }
  return call(FLOWS, { method: 'POST', body })
}

/** The flow as a file, and what was left out of it: secrets and files. */
export const exportFlow = (
  id: string,
): Promise<{ file: object; leftOut: { node: string; input: string }[] }> => call(`${one(id)}/export`)

export const importFlow = (file: object, name: string | undefined): Promise<FlowImport> =>
  call(`${FLOWS}/import`, { method: 'POST', body: file, query: { name } })

export type FlowSettings = SettingsAnswer

/** What a flow is set to, what it holds, and which of its nodes take files from requests. */
export const getFlowSettings = (id: string): Promise<FlowSettings> => call(`${one(id)}/settings`)

/** Lets requests send files to the flow: to each of its loaders that takes files. */
export const allowUploads = async (id: string): Promise<Flow> =>
  (await call<{ flow: Flow }>(`${one(id)}/settings`, { method: 'PATCH', body: { set: { uploads: 'on' } } }))
    .flow
