import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { SluiceError } from '../kit/errors.ts'
import { readShape } from './read-shape.ts'

const shape = z.object({
  name: z.string().min(2).optional(),
  topK: z.coerce.number().int().min(1).max(1000).optional(),
  share: z.number().optional(),
  mode: z.enum(['hybrid', 'vector']).optional(),
  since: z.iso.datetime().optional(),
  list: z.array(z.object({ id: z.string() })).optional(),
  either: z.union([z.boolean(), z.object({ lambda: z.number() })]).optional(),
  whole: z.record(z.string(), z.number()).optional(),
  slug: z
    .string()
    .regex(/^[a-z]+$/, 'lower-case letters')
    .optional(),
  async: z.stringbool().optional(),
})

for (const [value, reason] of [
  [{ name: 7 }, 'name: expected text, received a number'],
  [{ name: 'x' }, 'name: expected text of at least 2 characters, received less'],
  [{ topK: 'many' }, 'topK: expected a number, received text that is no number'],
  [{ topK: 1.5 }, 'topK: expected a whole number, received a number'],
  [{ topK: 0 }, 'topK: expected a number of at least 1, received less'],
  [{ topK: 5000 }, 'topK: expected a number of at most 1000, received more'],
  [{ share: 'a secret' }, 'share: expected a number, received text'],
  [{ mode: 'a secret' }, 'mode: expected hybrid or vector, received text'],
  [
    { since: 'a secret' },
    'since: expected a date and time such as 2026-01-31T09:00:00Z, received text of another form',
  ],
  [{ list: {} }, 'list: expected a list, received an object'],
  [{ list: [{ id: 'a' }, { id: null }] }, 'list.1.id: expected text, received null'],
  [{ either: 'yes' }, 'either: expected true or false or an object, received text'],
  [{ either: { lambda: 'a secret' } }, 'either.lambda: expected a number, received text'],
  [{ whole: { a: 'a secret' } }, 'whole.a: expected a number, received text'],
  [{ slug: 'A B' }, 'slug: lower-case letters'],
  ['a secret', 'expected an object, received text'],
] as const)
  test(`readShape() refuses with the message: ${reason}`, () => {
    assert.throws(
      () => readShape('query_invalid', shape, value),
      (error: unknown) =>
        error instanceof SluiceError && error.message === `The query parameters are not valid: ${reason}`,
    )
  })

test('readShape() returns the converted value', () => {
  assert.deepEqual(readShape('body_invalid', shape, { topK: '3', async: 'true' }), { topK: 3, async: true })
})
