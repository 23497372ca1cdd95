import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import { loadApi } from './load.ts'
import { LOOPBACK } from '../../test/support/loopback.ts'

const pages: Record<string, string> = {}
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url!)
  response.writeHead(request.url! in pages ? 200 : 404).end(pages[request.url!])
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const egresses: ReturnType<typeof createEgress>[] = []
after(async () => {
  await Promise.all(egresses.map((egress) => egress.close()))
  server.close()
})

/** A new egress client has an empty cache. */
function fresh() {
  const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
  egresses.push(egress)
  asked.length = 0
  return egress
}

const operation = (ref: string) =>
  `openapi: 3.1.0\npaths:\n  /a: { get: { parameters: [{ $ref: "${ref}" }] } }`
const inline = (name: string, text: string) =>
  `data:text/yaml;base64,${Buffer.from(text).toString('base64')},filename:${name}`

test('loadApi() fetches no other document unless `followLinks` is set', async () => {
  pages['/openapi.yaml'] = operation('more/p.yaml#/P')
  pages['/more/p.yaml'] = 'P: { name: p, in: query, schema: { $ref: s.yaml } }'
  pages['/more/s.yaml'] = 'type: integer'
  const egress = fresh()
  const source = { link: `${origin}/openapi.yaml` }
  const closed = await loadApi(source, { followLinks: false }, egress)
  assert.deepEqual([closed.api.operations[0]!.parameters.length, asked], [0, ['/openapi.yaml']])
  assert.match(closed.api.operations[0]!.notes.join(), /not loaded/)
  const open = await loadApi(source, { followLinks: true }, egress)
  assert.deepEqual(
    open.api.operations[0]!.parameters.map(({ name }) => name),
    ['p'],
  )
  assert.deepEqual(asked.slice(1), ['/openapi.yaml', '/more/p.yaml', '/more/s.yaml'])
  assert.deepEqual(open.api.missing, [])
})

for (const [what, ref] of [
  ['may not be called', 'http://169.254.169.254/latest#/P'],
  ['is not there', 'none.yaml#/P'],
  ['is invalid', 'broken.yaml#/P'],
] as const)
  test(`loadApi() works without a document that ${what}`, async () => {
    pages['/bad.yaml'] = operation(ref)
    pages['/broken.yaml'] = 'a: ['
    // No address is fetched twice.
    const egress = fresh()
    const { api } = await loadApi({ link: `${origin}/bad.yaml` }, { followLinks: true }, egress)
    assert.match(api.operations[0]!.notes.join(), /not loaded/)
    assert.equal(new Set(asked).size, asked.length)
  })

test('loadApi() returns what it read a short while ago', async () => {
  pages['/again.yaml'] = operation('#/none')
  const egress = fresh()
  const source = { link: `${origin}/again.yaml` }
  const [one, other] = await Promise.all([1, 2].map(() => loadApi(source, { followLinks: false }, egress)))
  assert.equal(one, other)
  assert.equal(asked.length, 1)
  await loadApi(source, { followLinks: false, selectedServer: 'http://other.example' }, egress)
  assert.equal(asked.length, 2)
})

test('loadApi() returns an old result if the address fails', async (t) => {
  pages['/old.yaml'] = operation('#/none')
  const egress = fresh()
  const source = { link: `${origin}/old.yaml` }
  const first = await loadApi(source, { followLinks: false }, egress)
  delete pages['/old.yaml']
  const later = performance.now() + 3_600_000
  t.mock.method(performance, 'now', () => later)
  assert.equal(await loadApi(source, { followLinks: false }, egress), first)
  assert.deepEqual(asked, ['/old.yaml', '/old.yaml'])
})

test('loadApi() tries again after a failure', async () => {
  delete pages['/late.yaml']
  const egress = fresh()
  const source = { link: `${origin}/late.yaml` }
  await assert.rejects(loadApi(source, { followLinks: false }, egress), { code: 'description_unusable' })
  pages['/late.yaml'] = operation('#/none')
  assert.equal((await loadApi(source, { followLinks: false }, egress)).api.operations.length, 1)
})

test('loadApi() reads a description of several files that a flow contains', async () => {
  const files = [
    inline('api.yaml', operation('parts/p.yaml#/P')),
    inline('parts/p.yaml', 'P: { name: p, in: query }'),
  ]
  const { name, api } = await loadApi(
    { file: JSON.stringify(files) },
    { followLinks: false, selectedServer: 'http://x.example' },
    fresh(),
  )
  assert.deepEqual([name, api.operations[0]!.parameters[0]!.name], ['api.yaml', 'p'])
})

test('loadApi() bounds a description that refers to ever more documents', async () => {
  const bomb = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
      : `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(',')}]`,
  ).join('\n')
  await assert.rejects(loadApi({ file: inline('bomb.yaml', bomb) }, { followLinks: false }, fresh()), {
    code: 'description_unusable',
    message: /bomb\.yaml/,
  })
})
