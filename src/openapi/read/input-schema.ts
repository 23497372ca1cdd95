import type { JsonSchema } from '../../contract/tool.ts'
import { GROUPS } from '../operation.ts'
import type { ToldSlot } from './parameters.ts'
import type { ToldBody } from './request-body.ts'

/** The input of a tool: an object of groups, each an object of the parameters that go to one place. */
export function inputOf(told: readonly ToldSlot[], body: ToldBody | undefined): JsonSchema {
  const groups = new Map<string, ToldSlot[]>()
  for (const one of told) {
    const group = GROUPS[one.slot.in]
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  const properties: [string, JsonSchema][] = [...groups].map(([group, slots]) => [group, groupOf(slots)])
  if (body) properties.push(['RequestBody', body.schema])
  const required = [...groups]
    .filter(([, slots]) => slots.some(({ slot }) => slot.required))
    .map(([group]) => group)
  if (body?.plan.required) required.push('RequestBody')
  return closed(properties, required)
}

const groupOf = (slots: readonly ToldSlot[]): JsonSchema =>
  closed(
    slots.map(({ slot, schema }) => [slot.name, schema]),
    slots.filter(({ slot }) => slot.required).map(({ slot }) => slot.name),
  )

const closed = (properties: readonly (readonly [string, JsonSchema])[], required: string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})
