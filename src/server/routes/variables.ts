import { z } from 'zod'
import { pageIfAsked } from '../../api/paging.ts'
import { VARIABLE_TYPES, type VariableRow } from '../../db/variables.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { toRange } from '../../kit/paging.ts'
import type { Platform } from '../platform.ts'
import { removalAnswer, removed } from '../removal.ts'
import { askedPage, type Route, route } from '../route.ts'

const variableBody = z.looseObject({
  name: z
    .string()
    .regex(/^[\p{L}_][\p{L}\p{N}_]{0,199}$/u, 'letters, digits and _, not beginning with a digit'),
  /** Of a static variable. */
  value: z.string().max(100_000).nullish(),
  type: z.enum(VARIABLE_TYPES).default('static'),
})

const shown = z.object({
  id: z.string(),
  name: z.string(),
  value: z.string(),
  type: z.enum(VARIABLE_TYPES),
  createdDate: z.iso.datetime(),
  updatedDate: z.iso.datetime(),
})

/** What flows call `{{$vars.name}}`. */
export function variableRoutes({ variables }: Platform): Route[] {
  const shared = { tag: 'management', access: 'manage' } as const
  const params = z.object({ id: z.string() })
  const answer = { description: 'The variable', shape: shown }

  async function find(id: string): Promise<VariableRow> {
    const row = await variables.find(id)
    if (!row) throw new SluiceError('variable_not_found', { id })
    return row
  }

  return [
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/variables',
      summary: 'All variables; paged when page or limit is given',
      query: pageIfAsked,
      answer: {
        description: 'A list, or {data, total}',
        shape: z.union([z.array(shown), z.object({ data: z.array(shown), total: z.number() })]),
      },
      async handle({ query }) {
        const rows = (await variables.list()).map(present)
        const page = askedPage(query)
        if (!page) return rows
        const { offset, limit } = toRange(page)
        return { data: rows.slice(offset, offset + limit), total: rows.length }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      url: '/api/v1/variables',
      summary: 'A new variable',
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
      ...shared,
      method: 'GET',
      url: '/api/v1/variables/:id',
      summary: 'One variable',
      params,
      answer,
      handle: async ({ params }) => present(await find(params.id)),
    }),
    route({
      ...shared,
      method: 'PUT',
      url: '/api/v1/variables/:id',
      summary: 'Change a variable; what is not given stays',
      params,
      body: variableBody.extend({ type: z.enum(VARIABLE_TYPES) }).partial(),
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
      ...shared,
      method: 'DELETE',
      url: '/api/v1/variables/:id',
      summary: 'Delete a variable; flows that use it find nothing in its place',
      params,
      answer: removalAnswer,
      async handle({ params }) {
        await find(params.id)
        await variables.remove(params.id)
        return removed(1)
      },
    }),
  ]
}

const present = ({ id, name, value, type, createdAt, updatedAt }: VariableRow) => ({
  id,
  name,
  value,
  type,
  createdDate: new Date(createdAt).toISOString(),
  updatedDate: new Date(updatedAt).toISOString(),
})
