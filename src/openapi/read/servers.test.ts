import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../kit/json.ts'
import { chooseServer, type ServerChoice } from './servers.ts'

const LINK = 'https://api.example/v1/openapi.json'
const ONE = [
  { url: 'https://one.example/v2/' },
  { url: 'https://{r}.example', variables: { r: { default: 'eu' } } },
]
const OWN = [{ url: 'https://own.example' }]

for (const [what, own, root, choice, expected] of [
  ['the first server', undefined, ONE, {}, 'https://one.example/v2'],
  [
    'a relative one against the link',
    undefined,
    [{ url: '../v9' }],
    { link: LINK },
    'https://api.example/v9',
  ],
  [
    'the origin of the link if no server is given',
    undefined,
    undefined,
    { link: LINK },
    'https://api.example',
  ],
  ['the server of the operation', OWN, ONE, {}, 'https://own.example'],
  ['the default for a variable', undefined, ONE.slice(1), {}, 'https://eu.example'],
  [
    'the first choice for a variable',
    undefined,
    [{ url: 'https://x/{v}', variables: { v: { enum: ['b'] } } }],
    {},
    'https://x/b',
  ],
  ['a given value for a variable', undefined, ONE.slice(1), { variables: { r: 'us' } }, 'https://us.example'],
  [
    'the one that is selected as written',
    undefined,
    ONE,
    { selected: 'https://{r}.example' },
    'https://eu.example',
  ],
  [
    'the one that is selected in full',
    undefined,
    ONE,
    { selected: 'https://eu.example' },
    'https://eu.example',
  ],
  [
    'the server of the operation before one that is selected from the list',
    OWN,
    ONE,
    { selected: 'https://eu.example' },
    'https://own.example',
  ],
  ['any other address before all', OWN, ONE, { selected: 'http://localhost:9/' }, 'http://localhost:9'],
] as [string, JsonObject[] | undefined, JsonObject[] | undefined, Partial<ServerChoice>, string][])
  test(`chooseServer() takes ${what}`, () => {
    assert.equal(chooseServer(own, root, { variables: {}, ...choice }), expected)
  })

for (const [what, servers] of [
  ['no server', []],
  ['a relative address without a link', [{ url: '/v1' }]],
  ['another scheme', [{ url: 'ftp://x' }]],
  ['a variable without a value', [{ url: 'https://{none}.example' }]],
  ['an invalid address', [{ url: 'https://' }]],
] as const)
  test(`chooseServer() refuses ${what}, with advice in the message`, () => {
    assert.throws(() => chooseServer(undefined, servers, { variables: {} }), /select one|choose a server/)
  })
