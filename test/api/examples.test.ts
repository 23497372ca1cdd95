import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addressOf, EXAMPLES } from '../../src/server/docs/examples.ts'
import { startChatServer } from '../support/chat-server.ts'
import { assertRoutes, describedRoutes, type Description } from '../support/described.ts'
import { makeExampleFlows } from '../support/example-flows.ts'
import { ADMIN_KEY, form, makePlatform } from '../support/platform.ts'

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'Four weeks.' }
const { body: description } = await platform.call<Description>('GET', '/openapi.json')
await makeExampleFlows(platform, model.url)

/** What earlier examples were answered with, by the names that later ones use. */
const kept = new Map<string, string>()
const filled = (text: string) => text.replace(/\$(\w+)/g, (whole, name: string) => kept.get(name) ?? whole)

test('every route has an example, and every example a route [docs:examples]', () => {
  assertRoutes(Object.keys(EXAMPLES), describedRoutes(description), 'src/server/docs/examples.ts')
})

for (const [route, example] of Object.entries(EXAMPLES)) {
  const [method, url] = route.split(' ') as [string, string]
  // The answer is held against the schemas of the description, as every answer that a test sees.
  test(`the example of ${route} is answered with ${example.status} and in the described shape [docs:examples]`, async () => {
    const { body, files, headers, status, keep } = example
    const answer = await platform.call<unknown>(method, filled(addressOf(url, example)), {
      key: ADMIN_KEY,
      ...(headers ? { headers: { ...headers } } : {}),
      ...(files ? { body: form({ ...files }) } : {}),
      ...(body ? { body: JSON.parse(filled(JSON.stringify(body))) as object } : {}),
    })
    assert.equal(answer.status, status, answer.text)
    if (!keep) return
    const [name, field] = keep
    const value = field
      .split('.')
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], answer.body)
    assert.equal(typeof value, 'string', `${route} has no ${field}`)
    kept.set(name, value as string)
  })

  test(`the page shows the example of ${route} as a command [docs:examples]`, () => {
    const operation = description.paths[url.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
    const { curl, status } = operation['x-example']!
    assert.equal(status, example.status)
    assert.ok(curl.startsWith('curl ') && curl.includes(addressOf(url, example)), curl)
    for (const name of Object.keys(example.files ?? {})) assert.ok(curl.includes(`-F files=@${name}`))
    if (example.body) assert.ok(curl.includes(JSON.stringify(example.body)))
  })
}
