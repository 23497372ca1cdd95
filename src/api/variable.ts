import { z } from 'zod'
import { VARIABLE_TYPES } from '../contract/variable.ts'
import { flowUseShape } from './flow-use.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
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
    .regex(/^[\p{L}_][\p{L}\p{N}_]{0,199}$/u, 'letters, digits and _, not beginning with a digit')
    .register(docs, doc('The name of the variable, as texts have it in {{$vars.name}}', 'city')),
  /** Used by a static variable only. */
  value: z
    .string()
    .max(100_000)
    .nullish()
    .register(docs, doc('The value of a static variable, at most 100,000 characters', 'Bern')),
  type: variableType.default('static'),
})
export const variablePatch = variableBody.extend({ type: variableType }).partial()

export const variableListQuery = pageIfAsked.extend({
  usage: z
    .enum(['true', 'false'])
    .optional()
    .register(docs, doc('true also lists the flows that use each variable', 'true')),
})

const use = flowUseShape('llmChain_0', 'LLM Chain')

export const variableShape = z.object({
  id: z.string().register(docs, doc('The id of the variable, a UUID', EXAMPLE_ID)),
  name: z.string().register(docs, doc('The name of the variable', 'city')),
  value: z.string().register(docs, doc('The value of a static variable', 'Bern')),
  type: variableType,
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
  isSet: z
    .boolean()
    .register(
      docs,
      doc('Whether it has a value: a runtime variable has one if SLUICE_VAR_name is set for the server'),
    ),
  usedBy: z
    .array(use)
    .optional()
    .register(
      docs,
      doc('The flows that use it, each with the nodes that do; only with usage=true', [
        { id: EXAMPLE_ID, slug: 'handbook', name: 'Handbook', nodes: [] },
      ]),
    ),
})
export type VariableAnswer = z.output<typeof variableShape>
export const variableList = listOf(variableShape)
