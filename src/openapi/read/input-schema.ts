import type { JsonSchema } from '../../contract/tool.ts'
import { INPUT_GROUPS } from '../operation.ts'
import type { DescribedParameter } from './parameters.ts'
import type { DescribedBody } from './request-body.ts'

/** The input schema of a tool: an object of groups, each an object of the parameters in one location. */
export function toolInputSchema(
  described: readonly DescribedParameter[],
  body: DescribedBody | undefined,
): JsonSchema {
  const groups = new Map<string, DescribedParameter[]>()
  for (const one of described) {
    const group = INPUT_GROUPS[one.parameter.in]
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  const properties: [string, JsonSchema][] = [...groups].map(([group, described]) => [
    group,
    groupOf(described),
  ])
  if (body) properties.push(['RequestBody', body.schema])
  const required = [...groups]
    .filter(([, described]) => described.some(({ parameter }) => parameter.required))
    .map(([group]) => group)
  if (body?.plan.required) required.push('RequestBody')
  return closed(properties, required)
}

const groupOf = (described: readonly DescribedParameter[]): JsonSchema =>
  closed(
    described.map(({ parameter, schema }) => [parameter.name, schema]),
    described.filter(({ parameter }) => parameter.required).map(({ parameter }) => parameter.name),
  )

const closed = (properties: readonly (readonly [string, JsonSchema])[], required: string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})
