import { z } from 'zod'
import { VARIABLE_TYPES } from '../contract/variable.ts'
import { moment } from './json.ts'
import { listOf, pageIfAsked } from './paging.ts'

const variableType = z.enum(VARIABLE_TYPES).meta({
  description:
    'static: the value is stored here; runtime: it is read from SLUICE_VAR_name of the environment',
  examples: ['static'],
})

export const variableBody = z.looseObject({
  name: z
    .string()
    .regex(/^[\p{L}_][\p{L}\p{N}_]{0,199}$/u, 'letters, digits and _, not beginning with a digit'),
  /** Used by a static variable only. */
  value: z.string().max(100_000).nullish(),
  type: variableType.default('static'),
})
export const variablePatch = variableBody.extend({ type: variableType }).partial()

export const variableListQuery = pageIfAsked.extend({ usage: z.enum(['true', 'false']).optional() })

const use = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  nodes: z.array(z.object({ nodeId: z.string(), label: z.string() })),
})

export const variableShape = z.object({
  id: z.string(),
  name: z.string(),
  value: z.string(),
  type: variableType,
  createdDate: moment,
  updatedDate: moment,
  isSet: z.boolean(),
  usedBy: z.array(use).optional(),
})
export type VariableAnswer = z.output<typeof variableShape>
export const variableList = listOf(variableShape)
