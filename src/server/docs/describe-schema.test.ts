import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { doc, docs } from '../../api/doc.ts'
import { isObject } from '../../kit/json.ts'
import { describedSchema } from './describe-schema.ts'

type Shapes = Readonly<Record<string, unknown>>

/** A sentence for each field of the shapes, at any depth, that has no description or no example. */
function undescribed(shapes: Shapes, file: string): string[] {
  return Object.entries(shapes).flatMap(([name, shape]) => {
    if (!(shape instanceof z.ZodType)) return []
    const found = (['input', 'output'] as const).flatMap((io) => [
      ...without(describedSchema(shape, io), name),
    ])
    return [...new Set(found)].map((sentence) => `${sentence} (${file})`)
  })
}

function* without(schema: unknown, at: string): Generator<string> {
  if (!isObject(schema)) return
  for (const [name, field] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    const { description, examples } = field as { description?: string; examples?: unknown[] }
    if (!description) yield `${at}.${name} has no description: .register(docs, doc('…', example))`
    else if (!examples) yield `${at}.${name} has no example: doc('${description}', example)`
    yield* without(field, `${at}.${name}`)
  }
  yield* without(schema.items, `${at}[]`)
  yield* without(schema.additionalProperties, `${at}.*`)
  for (const list of [schema.anyOf, schema.oneOf, schema.allOf])
    for (const choice of Array.isArray(list) ? list : []) yield* without(choice, at)
}

const API_FILES = globSync('*.ts', { cwd: path.join(import.meta.dirname, '../../api') })

for (const file of API_FILES)
  test(`src/api/${file} describes every field of its shapes, with an example [docs:described]`, async () => {
    const [first] = undescribed((await import(`../../api/${file}`)) as Shapes, `src/api/${file}`)
    assert.equal(first, undefined, first)
  })

test('no two fields of different names share one registered shape: the second would describe the first', async () => {
  const names = new Map<unknown, string>()
  for (const file of API_FILES)
    for (const shape of Object.values((await import(`../../api/${file}`)) as Shapes))
      for (const [name, field] of fieldsBelow(shape)) {
        const first = names.get(field) ?? name
        assert.equal(name, first, `${name} and ${first} share a shape: use .meta() in src/api/${file}`)
        if (docs.has(field)) names.set(field, name)
      }
})

/** The fields of a shape at any depth. */
function* fieldsBelow(shape: unknown): Generator<[name: string, field: z.ZodType]> {
  if (shape instanceof z.ZodObject)
    for (const [name, field] of Object.entries(shape.shape as Record<string, z.ZodType>)) {
      yield [name, field]
      yield* fieldsBelow(field)
    }
  else if (shape instanceof z.ZodArray) yield* fieldsBelow(shape.element)
  else if (shape instanceof z.ZodUnion) for (const option of shape.options) yield* fieldsBelow(option)
  else if (shape instanceof z.ZodType && 'innerType' in shape.def) yield* fieldsBelow(shape.def.innerType)
}

test('undescribed() names the shape and the field', () => {
  const rows = z.array(z.object({ told: z.string().meta(doc('The text', 'a')), size: z.number().nullish() }))
  const sentence = "rows[].size has no description: .register(docs, doc('…', example)) (rows.ts)"
  assert.deepEqual(undescribed({ rows, other: 1 }, 'rows.ts'), [sentence])
  const half = z.object({ size: z.number().meta(doc('The size in bytes')) })
  assert.deepEqual(undescribed({ half }, 'half.ts'), [
    "half.size has no example: doc('The size in bytes', example) (half.ts)",
  ])
})

test('describedSchema() gives a field whose values are listed an example', () => {
  const shape = z.object({
    on: z.boolean().nullish().meta(doc('Whether it is on')),
    kind: z.enum(['big', 'small']).meta(doc('The kind')),
    always: z.literal(7).meta(doc('Always 7')),
    any: z.unknown().meta(doc('Anything', null)),
  })
  const { properties } = describedSchema(shape, 'output') as {
    properties: Record<string, { examples: unknown[]; type?: unknown }>
  }
  const examples = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, field.examples]),
  )
  assert.deepEqual(examples, { on: [true], kind: ['big'], always: [7], any: [null] })
  assert.ok(Array.isArray(properties.any!.type), 'a schema of any JSON is not empty')
})

test('describedSchema() keeps the example of a text that is read as something else', () => {
  const query = z.object({ async: z.stringbool().optional().meta(doc('Whether to wait', 'true')) })
  assert.partialDeepStrictEqual(describedSchema(query, 'input'), {
    properties: { async: { examples: ['true'] } },
  })
})
