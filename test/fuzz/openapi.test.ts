import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isObject, type Json, type JsonObject } from '../../src/kit/json.ts'
import { BadInput } from '../../src/openapi/call/bad-input.ts'
import { buildCall } from '../../src/openapi/call/build.ts'
import { parseTree } from '../../src/openapi/read/document.ts'
import { readApi } from '../../src/openapi/read/operations.ts'
import { sampleOf } from '../support/openapi/sample.ts'
import { randomBelow } from '../support/random.ts'

const SEED = 20_261_121
const CASES = 3000
const LINK = 'https://api.example/openapi.yaml'

const events = parseTree(
  readFileSync(new URL('../../src/events/openapi.yaml', import.meta.url), 'utf8'),
) as JsonObject

/** What descriptions hold where something else belongs. */
const ODD: Json[] = [
  null,
  true,
  -1,
  '',
  'x',
  [],
  {},
  [null],
  [[]],
  '#/',
  '__proto__',
  { $ref: '#/paths' },
  { $ref: 5 },
  { $ref: 'https://other.example/#/a' },
  { type: 'object' },
  { in: 'header', name: 'a b' },
  { allOf: [{ $ref: '#/components/schemas/Event' }, null] },
]

/** A description in which some places hold something odd. */
function spoiled(below: (bound: number) => number): JsonObject {
  const copy = structuredClone(events)
  for (let count = below(8) + 1; count > 0; count--) {
    let place: JsonObject = copy
    for (let depth = below(12) + 1; depth > 0; depth--) {
      const keys = Object.keys(place)
      const key = keys[below(Math.max(1, keys.length))]
      if (key === undefined) break
      const inner = place[key]
      if (depth === 1 || typeof inner !== 'object' || inner === null) {
        place[key] = structuredClone(ODD[below(ODD.length)]!)
        break
      }
      place = inner as JsonObject
    }
  }
  return copy
}

test(`readApi() and buildCall() fail for no reason but their own in ${CASES} spoiled descriptions`, (t) => {
  const below = randomBelow(SEED)
  let calls = 0
  for (let number = 0; number < CASES; number++) {
    const description = spoiled(below)
    const about = `seed ${SEED}, description ${number}`
    let operations: ReturnType<typeof readApi>['operations'] = []
    try {
      const api = readApi({ [LINK]: JSON.stringify(description) }, { link: LINK })
      operations = api.operations
      for (const { reason } of api.refused)
        assert.doesNotMatch(reason, /cannot read|not a function|not iterable/i, about)
    } catch (error) {
      assert.match((error as Error).message, /it is not an OpenAPI description/, about)
    }
    for (const operation of operations) {
      const input = sampleOf(operation.input, { full: true, choice: number })
      if (!isObject(input)) continue
      try {
        buildCall(operation, input as JsonObject, { headers: {}, secrets: { openAPIToken: 'key' } })
        calls += 1
      } catch (error) {
        assert.ok(error instanceof BadInput, `${about}: ${String(error)}`)
      }
    }
  }
  t.diagnostic(`${calls} calls were made`)
  assert.ok(calls > CASES)
})
