import { z } from 'zod'
import { flowUseShape } from './flow-use.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { jsonObject, moment } from './json.ts'
import { listOf, pageIfAsked } from './paging.ts'

const SCHEMA =
  '[{"id":0,"property":"city","type":"string","description":"The name of a city","required":true}]'
const FUNC = "return 'It rains in ' + $city"

const named = doc('The name by which a model calls it, at most 200 characters', 'weather_of_city')
const described = doc('What a model is told of it, at most 20,000 characters', 'Tells the weather of a city')
const coloured = doc('The colour of its picture, as CSS', 'linear-gradient(rgb(85,198,123), rgb(0,230,99))')
const pictured = doc('The address of its picture, at most 200,000 characters', 'https://example.com/icon.svg')
const inputs = doc(
  'Its inputs: JSON text, a list of rows {id, property, type, description, required}; a type is string, number, boolean, date, object or array',
  SCHEMA,
)
const coded = doc('Its code, at most 500,000 characters. It reads the inputs as $property', FUNC)

const name = z.string().trim().min(1).max(200)
const text = (longest: number) => z.string().max(longest)

export const customToolBody = z.looseObject({
  name: name.register(docs, named),
  description: text(20_000).nullish().register(docs, described),
  color: text(1000).nullish().register(docs, coloured),
  iconSrc: text(200_000).nullish().register(docs, pictured),
  schema: text(200_000).nullish().register(docs, inputs),
  func: text(500_000).nullish().register(docs, coded),
})
export const customToolPatch = customToolBody.extend({ name: name.register(docs, named) }).partial()

export const customToolListQuery = pageIfAsked.extend({
  usage: z
    .enum(['true', 'false'])
    .optional()
    .register(docs, doc('true also lists the flows that use each tool', 'true')),
})

/** A tool that is tried without being stored. */
export const customToolTrial = z.looseObject({
  name: name.optional().register(docs, named),
  schema: text(200_000).nullish().register(docs, inputs),
  func: text(500_000).register(docs, coded),
  input: jsonObject.optional().register(docs, doc('The input, as a model would write it', { city: 'Bern' })),
})

export const customToolResult = z.object({
  output: z
    .string()
    .nullable()
    .register(docs, doc('What the code returned, as text; null where it failed', 'It rains in Bern')),
  error: z.string().nullable().register(docs, doc('Why it failed, as a model would read it', null)),
  timeTaken: z.number().register(docs, doc('How long it took, in milliseconds', 4)),
  calls: z.number().int().register(docs, doc('How many HTTP calls were answered', 0)),
})
export type CustomToolResult = z.output<typeof customToolResult>

const use = flowUseShape('customTool_0', 'Custom Tool')

const problem = z.object({
  part: z.enum(['schema', 'func']).register(docs, doc('The part that it is about', 'func')),
  message: z
    .string()
    .register(docs, doc('What is wrong, as a sentence', 'the code requires the module axios')),
  instead: z
    .string()
    .nullable()
    .register(docs, doc('What to use instead; null where the message says it', 'Use fetch')),
})
export type CustomToolProblem = z.output<typeof problem>

export const customToolShape = z.object({
  id: z.string().register(docs, doc('The id of the tool, a UUID', EXAMPLE_ID)),
  name: z.string().register(docs, named),
  description: z.string().register(docs, described),
  color: z.string().register(docs, coloured),
  iconSrc: z.string().register(docs, pictured),
  schema: z.string().register(docs, inputs),
  func: z.string().register(docs, coded),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
  problems: z
    .array(problem)
    .register(docs, doc('What keeps it from running: a schema that is none, code that does not parse', [])),
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
export type CustomToolAnswer = z.output<typeof customToolShape>
export const customToolList = listOf(customToolShape)
