import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildContext } from '../../contract/card.ts'
import { readConfig } from '../../kit/config.ts'
import { createEgress } from '../../kit/egress/client.ts'
import { createEgressRules } from '../../kit/egress/rules.ts'
import type { JsonObject } from '../../kit/json.ts'
import { customMCP } from './custom-mcp.ts'

const settings = readConfig({ flags: { MCP_ALLOW: 'mcp.example.com' }, environment: {} })
const egress = createEgress({ rules: createEgressRules({}) })
const build = (mcpServerConfig: JsonObject) =>
  customMCP.build({ values: { mcpServerConfig }, parts: {} }, {
    settings,
    egress,
  } as Partial<BuildContext> as BuildContext)

test('customMCP accepts a server that MCP_ALLOW lists, alone or within mcpServers', () => {
  for (const config of [
    { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer x' } },
    { mcpServers: { one: { url: 'https://mcp.example.com/mcp' } } },
  ])
    assert.equal(typeof build(config).tools, 'function')
})

for (const [what, config, reason] of [
  ['a server that is not listed', { url: 'https://other.example.com/mcp' }, { code: 'egress_denied' }],
  ['a command', { command: 'npx', args: ['-y', 'x'] }, /commands are not supported/],
  [
    'a command beside a url',
    { url: 'https://mcp.example.com/', command: 'npx' },
    /commands are not supported/,
  ],
  ['an address of another kind', { url: 'file:///etc/passwd' }, /expected a url/],
  ['no address', {}, /expected a url/],
  ['several servers', { mcpServers: { a: {}, b: {} } }, /expected exactly one server/],
] as [string, JsonObject, RegExp | { code: string }][])
  test(`customMCP refuses ${what}`, () => {
    assert.throws(() => build(config), reason)
  })
