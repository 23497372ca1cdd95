import type { CustomToolAnswer, CustomToolResult } from '../../src/api/custom-tool.ts'
import { call } from './call.ts'

export type CustomTool = CustomToolAnswer
export type { CustomToolProblem, CustomToolResult } from '../../src/api/custom-tool.ts'

export type CustomToolChange = Pick<CustomTool, 'name' | 'description' | 'schema' | 'func'>

const TOOLS = '/api/v1/tools'
const one = (id: string) => `${TOOLS}/${encodeURIComponent(id)}`

/** The custom tools of the workspace, with the flows that use each. */
export const listUsedTools = (): Promise<CustomTool[]> => call(TOOLS, { query: { usage: true } })
export const getTool = (id: string): Promise<CustomTool> => call(one(id))
/** @param body a tool, or the file of one */
export const createTool = (body: object): Promise<CustomTool> => call(TOOLS, { method: 'POST', body })
export const changeTool = (id: string, body: CustomToolChange): Promise<CustomTool> =>
  call(one(id), { method: 'PUT', body })
export const deleteTool = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })
/** Runs a tool with an input; nothing is stored. */
export const tryTool = (body: {
  name: string
  schema: string
  func: string
  input: object
}): Promise<CustomToolResult> => call(`${TOOLS}/try`, { method: 'POST', body })
