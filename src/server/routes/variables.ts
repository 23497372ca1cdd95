import { idParams } from '../../api/params.ts'
import {
  variableBody,
  variableList,
  variableListQuery,
  variablePatch,
  variableShape,
} from '../../api/variable.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { VariableRow } from '../../contract/variable-store.ts'
import { namedVariables } from '../../flow/named-variables.ts'
import { flowEnvironment } from '../../kit/config.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { toRange } from '../../kit/paging.ts'
import { type FlowUse, flowUses } from '../flow-uses.ts'
import { MANAGER } from '../chat/turn.ts'
import { MANAGEMENT, isoTime, removalAnswer, removedRows, requestedPage } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Call, type Route, route } from '../route.ts'

/** The variables that flows use as `{{$vars.name}}`. */
export function variableRoutes({ variables, flows }: Platform): Route[] {
  const answer = { description: 'The variable', shape: variableShape }

  async function find(id: string): Promise<VariableRow> {
    const row = await variables.find(id)
    if (!row) throw new SluiceError('variable_not_found', { id })
    return row
  }

  /** The flows that use variables, by the name of the variable. */
  const uses = () =>
    flowUses(
      flows,
      (flowData) => flowData.includes('$vars.'),
      (graph) =>
        namedVariables(graph).map(({ name, nodeId, node }) => [name, { nodeId, label: node }] as const),
    )

  async function forManager(rows: readonly VariableRow[], { usage }: { usage?: string | undefined }) {
    const found = usage === 'true' ? await uses() : undefined
    return rows.map((row) => present(row, found && (found.get(row.name) ?? [])))
  }

  /** The value of a variable may be a secret of its owner, which a caller of the flow need not know. */
  async function forKey(rows: readonly VariableRow[], may: Call<unknown, unknown, unknown>['may']) {
    const found = await uses()
    const usable = new Map<string, Promise<boolean>>()
    const mayUse = ({ id }: { id: string }) => {
      const known = usable.get(id) ?? flows.find(id).then(async (flow) => !!flow && mayAsk(flow, may))
      usable.set(id, known)
      return known
    }
    const shown = await Promise.all(
      rows.map(async ({ name }) => (await Promise.all((found.get(name) ?? []).map(mayUse))).includes(true)),
    )
    return rows.filter((_, index) => shown[index]).map((row) => ({ ...present(row), value: '' }))
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/variables',
      summary:
        'All variables; for a key without manage, names and types of those that its flows use, without values. A page of them with page or limit; with usage=true also the flows that use each',
      access: 'key',
      audited: true,
      pinned: 'harmless',
      query: variableListQuery,
      answer: { description: 'A list, or {data, total}', shape: variableList },
      async handle({ query, caller, may }) {
        const all = await variables.list()
        const rows = (await caller()) === MANAGER.name ? await forManager(all, query) : await forKey(all, may)
        const page = requestedPage(query)
        if (!page) return rows
        const { offset, limit } = toRange(page)
        return { data: rows.slice(offset, offset + limit), total: rows.length }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/variables',
      summary: 'Create a variable',
      body: variableBody,
      answer,
      async handle({ body }) {
        const now = Date.now()
        const row: VariableRow = {
          id: randomId(),
          name: body.name,
          type: body.type,
          value: body.type === 'static' ? (body.value ?? '') : '',
          createdAt: now,
          updatedAt: now,
        }
        await variables.insert(row)
        return present(row)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/variables/:id',
      summary: 'One variable, and the flows that use it',
      params: idParams,
      answer,
      async handle({ params }) {
        const row = await find(params.id)
        return present(row, (await uses()).get(row.name) ?? [])
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url: '/api/v1/variables/:id',
      summary: 'Change a variable; absent fields stay as they are',
      params: idParams,
      body: variablePatch,
      answer,
      async handle({ params, body }) {
        const row = await find(params.id)
        const type = body.type ?? row.type
        const changed: VariableRow = {
          ...row,
          name: body.name ?? row.name,
          type,
          value: type === 'static' ? (body.value ?? row.value) : '',
          updatedAt: Math.max(Date.now(), row.updatedAt),
        }
        await variables.update(changed)
        return present(changed)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/variables/:id',
      summary: 'Delete a variable; in flows that use it its place {{$vars.name}} stays as it is',
      params: idParams,
      answer: removalAnswer,
      async handle({ params }) {
        await find(params.id)
        await variables.remove(params.id)
        return removedRows(1)
      },
    }),
  ]
}

const mayAsk = async (flow: FlowRow, may: Call<unknown, unknown, unknown>['may']) =>
  (await may('predict', flow)) || (await may('query', flow))

type Use = FlowUse<{ nodeId: string; label: string }>

const present = ({ id, name, value, type, createdAt, updatedAt }: VariableRow, usedBy?: Use[]) => ({
  id,
  name,
  value,
  type,
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
  isSet: type === 'static' || flowEnvironment(name) !== undefined,
  ...(usedBy === undefined ? {} : { usedBy }),
})
