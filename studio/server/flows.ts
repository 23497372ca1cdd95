import type { FlowAnswer, SavedFlow } from '../../src/api/flow.ts'
import type { DeletedFlowAnswer, FlowSummaryAnswer } from '../../src/api/flow-summary.ts'
import type { ImportAnswer } from '../../src/api/flow-import.ts'
import type { SettingsAnswer, TemplateAnswer } from '../../src/api/flow-settings.ts'
import { call } from './call.ts'

export type Flow = FlowAnswer
export type FlowSummary = FlowSummaryAnswer
export type DeletedFlow = DeletedFlowAnswer
export type FlowImport = ImportAnswer
export type FlowTemplate = TemplateAnswer

/** The id of the key of a flow that is closed until it gets one. */
export const NO_KEY_YET = 'closed'

const FLOWS = '/api/v1/chatflows'
const one = (id: string) => `${FLOWS}/${encodeURIComponent(id)}`

/** All flows without their drawings. */
export const listFlows = (): Promise<FlowSummary[]> => call('/api/v1/flows')
export const listDeletedFlows = (): Promise<DeletedFlow[]> => call('/api/v1/flows/deleted')
export const getFlow = (id: string): Promise<Flow> => call(one(id))
export const listTemplates = (): Promise<FlowTemplate[]> => call('/api/v1/flow-templates')

export type NewFlow = { name: string } & ({ template: string } | { flowData: string; type: string })
export const createFlow = (flow: NewFlow): Promise<SavedFlow> => call(FLOWS, { method: 'POST', body: flow })

/** The members of a flow that are changed; the others stay as they are. */
export type FlowChange = {
  name?: string
  flowData?: string
  apiConfig?: object
  chatbotConfig?: object
  apikeyid?: string | null
  isPublic?: boolean
}

/** @param revision the one that the change is based on. @throws ServerFailure 412 if there is a newer one */
export const changeFlow = (
  id: string,
  change: FlowChange,
  revision: number | undefined,
): Promise<SavedFlow> => call(one(id), { method: 'PUT', body: change, revision })

/** The flow can be restored for thirty days. */
export const deleteFlow = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })

/** Removes a flow for good, also a deleted one. */
export const removeFlow = (id: string): Promise<unknown> =>
  call(one(id), { method: 'DELETE', query: { now: true } })

/** @param slug another slug than it had. @throws ServerFailure `slug_taken`, `namespace_taken` */
export const restoreFlow = (id: string, slug?: string): Promise<Flow> =>
  call(`${one(id)}/restore`, { method: 'POST', body: slug === undefined ? {} : { slug } })

/** A copy with all settings of the flow, and its key: callers need the same key for it. */
export const duplicateFlow = ({ id, name }: FlowSummary): Promise<Flow> =>
  copyFlow(id, { name: `Copy of ${name}`.slice(0, 200) })

/** @param change what of the copy differs from its original */
export const copyFlow = (id: string, change: FlowChange & { name: string }): Promise<SavedFlow> =>
  call(FLOWS, { method: 'POST', body: { ...change, copyOf: id } })

/** The flow as a file, and what was left out of it: secrets and files. */
export const exportFlow = (
  id: string,
): Promise<{ file: { sluice: { access: 'open' | 'key' } }; leftOut: { node: string; input: string }[] }> =>
  call(`${one(id)}/export`)

/** @param key the id of the key that callers of the new flows need */
export const importFlow = (
  file: object,
  { name, key }: { name: string | undefined; key: string | undefined },
): Promise<FlowImport> => call(`${FLOWS}/import`, { method: 'POST', body: file, query: { name, key } })

export type FlowSettings = SettingsAnswer

/** What a flow is set to, what it holds, and which of its nodes take files from requests. */
export const getFlowSettings = (id: string): Promise<FlowSettings> => call(`${one(id)}/settings`)

/** Sets settings by their names. */
export const changeSettings = (id: string, set: Record<string, string>): Promise<unknown> =>
  call(`${one(id)}/settings`, { method: 'PATCH', body: { set } })

/** Lets requests send files to the flow: to each of its loaders that takes files. */
export const allowUploads = async (id: string): Promise<Flow> =>
  (await call<{ flow: Flow }>(`${one(id)}/settings`, { method: 'PATCH', body: { set: { uploads: 'on' } } }))
    .flow
