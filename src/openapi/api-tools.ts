import type { Tool } from '../contract/tool.ts'
import { SluiceError } from '../kit/errors.ts'
import { estimateToolTokens } from './cost.ts'
import type { LoadedApi } from './load.ts'
import { operationTool, type ToolSettings } from './operation-tool.ts'
import type { Operation, ParsedApi } from './operation.ts'
import { searchTools } from './search-tools.ts'

export type ApiSettings = ToolSettings & {
  /** Names of operations, or `METHOD /path`; empty for all. */
  selected: readonly string[]
  /** With more tools than this, or more tokens in total, the model gets two tools that search the operations. */
  maxTools: number
  maxTokens: number
}

/** The operations of an API description as tools. @throws SluiceError `description_unusable` */
export function apiTools({ name, api }: LoadedApi, settings: ApiSettings): Tool[] {
  const refuse = (reason: string) => new SluiceError('description_unusable', { file: name, reason })
  if (api.operations.length === 0) throw refuse(api.refused[0]?.reason ?? 'it describes no operation')
  const operations = select(api, settings.selected, refuse)
  const tools = operations.map((operation) => operationTool(operation, settings))
  return exceedsLimits(tools, settings) ? searchTools(api.title, operations, settings) : tools
}

function exceedsLimits(tools: readonly Tool[], { maxTools, maxTokens }: ApiSettings): boolean {
  if (tools.length > maxTools) return true
  return tools.reduce((sum, tool) => sum + estimateToolTokens(tool), 0) > maxTokens
}

function select(
  { operations, refused }: ParsedApi,
  selected: readonly string[],
  refuse: (reason: string) => SluiceError,
): readonly Operation[] {
  if (selected.length === 0) return operations
  const chosen = new Set<Operation>()
  for (const wanted of selected) {
    const found = operations.find((operation) => matchesSelection(operation, wanted.trim()))
    if (found) chosen.add(found)
    else throw refuse(missingReason(wanted, refused))
  }
  return operations.filter((operation) => chosen.has(operation))
}

const matchesSelection = ({ name, operationId, method, path }: Operation, wanted: string) =>
  wanted === name ||
  wanted === operationId ||
  wanted.replace(/^\S+/, (verb) => verb.toUpperCase()) === `${method} ${path}`

function missingReason(wanted: string, refused: ParsedApi['refused']): string {
  const found = refused.find(({ method, path }) => `${method} ${path}` === wanted)
  return found ? `${wanted} cannot be called: ${found.reason}` : `it has no operation ${wanted.slice(0, 100)}`
}
