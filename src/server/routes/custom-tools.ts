import { readToolInput } from '../../agent/tool-input.ts'
import {
  customToolBody,
  customToolList,
  customToolListQuery,
  customToolPatch,
  customToolResult,
  customToolShape,
  customToolTrial,
} from '../../api/custom-tool.ts'
import { idParams } from '../../api/params.ts'
import type { CustomToolRow } from '../../contract/custom-tool-store.ts'
import type { Tool } from '../../contract/tool.ts'
import { namedTools } from '../../flow/named-tools.ts'
import { variableValues } from '../../flow/variables.ts'
import { flowEnvironment } from '../../kit/config.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import type { JsonObject } from '../../kit/json.ts'
import { toRange } from '../../kit/paging.ts'
import { codeTool, type WrittenTool } from '../../openapi/custom-tool/code-tool.ts'
import { toolProblems } from '../../openapi/custom-tool/tool-problems.ts'
import { codeRunner } from '../../openapi/sandbox/code-runner.ts'
import { type FlowUse, flowUses } from '../flow-uses.ts'
import { isoTime, MANAGEMENT, removalAnswer, removedRows, requestedPage } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

/** The flow that a tried tool sees as `$flow`. */
const TRIAL = { chatflowId: 'trial', chatId: 'trial', sessionId: 'trial', input: '', state: {} }

/** The tools whose code authors write; flows name them by their ids in the node `customTool`. */
export function customToolRoutes({ customTools, flows, variables, nodeServices }: Platform): Route[] {
  const answer = { description: 'The tool', shape: customToolShape }

  async function find(id: string): Promise<CustomToolRow> {
    const row = await customTools.find(id)
    if (!row) throw new SluiceError('tool_not_found', { id })
    return row
  }

  /** The flows that use tools, by the id of the tool. */
  const uses = () =>
    flowUses(
      flows,
      (flowData) => flowData.includes('customTool'),
      (graph) => namedTools(graph).map(({ id, nodeId, node }) => [id, { nodeId, label: node }] as const),
    )

  async function call(written: WrittenTool, input: JsonObject) {
    let tool: Tool
    let read: JsonObject
    try {
      tool = codeTool(written, { egress: nodeServices.egress, code: codeRunner, flowId: TRIAL.chatflowId })
      read = readToolInput(JSON.stringify(input), tool.parameters)
    } catch (error) {
      return { output: reasonOf(error), failed: true, http: [] }
    }
    const values = await variableValues(variables, flowEnvironment)
    return tool.call(read, new AbortController().signal, { flow: TRIAL, variables: values })
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/tools',
      summary:
        'All custom tools; a page of them with page or limit; with usage=true also the flows that use each',
      query: customToolListQuery,
      answer: { description: 'A list, or {data, total}', shape: customToolList },
      async handle({ query }) {
        const found = query.usage === 'true' ? await uses() : undefined
        const rows = (await customTools.list()).map((row) => present(row, found && (found.get(row.id) ?? [])))
        const page = requestedPage(query)
        if (!page) return rows
        const { offset, limit } = toRange(page)
        return { data: rows.slice(offset, offset + limit), total: rows.length }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/tools',
      summary: 'Create a custom tool; the file of a tool of Flowise is such a body',
      body: customToolBody,
      answer,
      async handle({ body }) {
        const now = Date.now()
        const { name, description, color, iconSrc, schema, func } = body
        const row: CustomToolRow = {
          id: randomId(),
          name,
          description: description ?? '',
          color: color ?? '',
          iconSrc: iconSrc ?? '',
          schema: schema ?? '[]',
          func: func ?? '',
          createdAt: now,
          updatedAt: now,
        }
        await customTools.insert(row)
        return present(row)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/tools/try',
      summary: 'Run a custom tool with an input, as a model would call it; nothing is stored',
      body: customToolTrial,
      answer: { description: 'What the code returned, or why it failed', shape: customToolResult },
      async handle({ body }) {
        const { name = 'tool', schema, func, input = {} } = body
        const startedAt = performance.now()
        const outcome = await call({ name, description: '', schema: schema ?? '', func }, input)
        return {
          output: outcome.failed ? null : outcome.output,
          error: outcome.failed ? outcome.output : null,
          timeTaken: Math.round(performance.now() - startedAt),
          calls: outcome.http?.length ?? 0,
        }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/tools/:id',
      summary: 'One custom tool, and the flows that use it',
      params: idParams,
      answer,
      async handle({ params }) {
        const row = await find(params.id)
        return present(row, (await uses()).get(row.id) ?? [])
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url: '/api/v1/tools/:id',
      summary: 'Change a custom tool; absent fields stay as they are. Flows use it as it is from then on',
      params: idParams,
      body: customToolPatch,
      answer,
      async handle({ params, body }) {
        const row = await find(params.id)
        const { name, description, color, iconSrc, schema, func } = body
        const changed: CustomToolRow = {
          ...row,
          name: name ?? row.name,
          description: description ?? row.description,
          color: color ?? row.color,
          iconSrc: iconSrc ?? row.iconSrc,
          schema: schema ?? row.schema,
          func: func ?? row.func,
          updatedAt: Math.max(Date.now(), row.updatedAt),
        }
        await customTools.update(changed)
        return present(changed)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/tools/:id',
      summary: 'Delete a custom tool; flows that use it are refused until they name another one',
      params: idParams,
      answer: removalAnswer,
      async handle({ params }) {
        await find(params.id)
        await customTools.remove(params.id)
        return removedRows(1)
      },
    }),
  ]
}

type Use = FlowUse<{ nodeId: string; label: string }>

const present = ({ createdAt, updatedAt, ...row }: CustomToolRow, usedBy?: Use[]) => ({
  ...row,
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
  problems: toolProblems(row),
  ...(usedBy === undefined ? {} : { usedBy }),
})
