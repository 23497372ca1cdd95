import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readZodText } from './zod-text.ts'

const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

for (const [text, expected] of [
  ['z.string()', { type: 'string' }],
  ['return z.number().int().min(1).max(5);', { type: 'integer', minimum: 1, maximum: 5 }],
  ['z.string().min(2).max(9).email()', { type: 'string', minLength: 2, maxLength: 9, format: 'email' }],
  [
    'z.enum(["a", \'b\']).array().length(2)',
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 2, maxItems: 2 },
  ],
  [
    'z.object({ a: z.string(), // first\n "b c": z.boolean().optional().describe("whether"), /* z.x */ })',
    object({ a: { type: 'string' }, 'b c': { type: 'boolean', description: 'whether' } }, ['a']),
  ],
  [
    'z.array(z.object({ a: z.coerce.number().default(1) }))',
    { type: 'array', items: object({ a: { type: 'number' } }, []) },
  ],
  ['z.union([z.literal(1), z.null()])', { anyOf: [{ type: 'number', enum: [1] }, { type: 'null' }] }],
  ['z.string().nullish()', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ['z.record(z.string(), z.number())', { type: 'object', additionalProperties: { type: 'number' } }],
  ['z.string().regex(/^[/"]\\/+$/i).trim()', { type: 'string' }],
  [
    'z.object({a: z.any()}).extend({b: z.date()}).partial()',
    object({ a: {}, b: { type: 'string', format: 'date-time' } }, []),
  ],
  [
    'z.object({ schema: z.string(), optional: z.string() })',
    object({ schema: { type: 'string' }, optional: { type: 'string' } }),
  ],
] as [string, object][])
  test(`readZodText() reads ${text}`, () => assert.deepEqual(readZodText(text), expected))

for (const [text, reason] of [
  ['{"answer": "text"}', /^line 1: a schema begins with z\.$/],
  ['z.object({\n  a: z.strin(),\n})', /^line 2: z\.strin is not known here$/],
  ['z.string().refine((value) => fetch(value))', /^line 1: /],
  ['z.string().transform()', /\.transform\(\) is not known here/],
  ['z.object({ a: 1 })', /a is no schema/],
  ['z.object({ a: z.string()', /a comma or } is missing/],
  ['z.string() z.number()', /more text follows/],
  ['z', /begins with z\./],
  ['z.string(', /./],
  ['z.literal("a', /a quote does not end/],
  [`${'z.array('.repeat(5000)}`, /levels deep/],
  ['z.toString()', /z\.toString is not known here/],
  ['z.constructor("return 1")', /z\.constructor is not known here/],
] as [string, RegExp][])
  test(`readZodText() refuses ${text.slice(0, 60)}`, () => {
    assert.throws(
      () => readZodText(text),
      (error: Error) => reason.test(error.message),
    )
  })
