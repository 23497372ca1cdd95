import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject } from '../kit/json.ts'
import type { Operation } from './operation.ts'
import type { ToolSettings } from './operation-tool.ts'
import { searchTools } from './search-tools.ts'

const operation = (
  method: string,
  path: string,
  name: string,
  description: string,
  input = {},
): Operation => ({
  name,
  method,
  path,
  description,
  input: { type: 'object', ...input },
  server: 'https://api.example',
  parameters: [],
  security: [],
  notes: [],
})

const big = { description: 'x'.repeat(20_000) }

const OPERATIONS = [
  operation('GET', '/orders', 'listOrders', 'Every order'),
  operation('POST', '/orders', 'createOrder', 'A new one', big),
  operation('DELETE', '/orders/{id}', 'removeOrder', 'Forget it'),
  operation('GET', '/users/{id}/avatar', 'get_users_by_id_avatar', 'The picture of a person'),
  operation('PATCH', '/users/{id}', 'patchUser', 'Some of a person'),
]

const { signal } = new AbortController()
const [find, call] = searchTools('Shop API!', OPERATIONS, {
  returnDirect: true,
} as Partial<ToolSettings> as ToolSettings)

async function found(query: string): Promise<JsonObject[]> {
  const { output } = await find!.call({ query }, signal)
  return output.startsWith('[') ? (JSON.parse(output) as JsonObject[]) : []
}

for (const [query, expected] of [
  ['list orders', 'listOrders'],
  ['create an order', 'createOrder'],
  ['add order', 'createOrder'],
  ['delete an order', 'removeOrder'],
  ['profile picture', 'get_users_by_id_avatar'],
  ['change a user', 'patchUser'],
  ['removeOrder', 'removeOrder'],
  ['AVATARS', 'get_users_by_id_avatar'],
] as const)
  test(`find_tool finds ${expected} for "${query}"`, async () => {
    assert.equal((await found(query))[0]?.name, expected)
  })

test('find_tool reports that no operation fits', async () => {
  for (const query of ['', '???', 'zebra'])
    assert.match((await find!.call({ query }, signal)).output, /No operation fits/)
})

test('find_tool returns the schema of the best operation, and of others while there is space', async () => {
  const [best, ...others] = await found('create order')
  assert.ok(isObject(best!.input) && others.length > 0)
  assert.ok(others.every((other) => other.input === undefined && other.name !== undefined))
})

test('searchTools() names its two tools by the API, and marks the calling one as unsafe', () => {
  assert.deepEqual([find!.name, call!.name], ['find_tool_shop_api', 'call_tool_shop_api'])
  assert.match(find!.description, /call_tool_shop_api/)
  assert.deepEqual([find!.unsafe, find!.returnDirect], [undefined, undefined])
  assert.deepEqual([call!.unsafe, call!.returnDirect], [true, true])
})
