import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { documentationRoutes } from './documentation.ts'

test('the description and its page are made once, by the first who asks [limits:event-loop]', async (t) => {
  let made = 0
  const routes = documentationRoutes(async () => {
    made++
    return { openapi: '3.1.0', paths: {} }
  })
  const app = Fastify()
  t.after(() => app.close())
  for (const { method, url, handle } of routes)
    app.route({ method, url, handler: (request, reply) => handle({ request, reply } as never) })
  for (const url of ['/openapi.json', '/docs']) {
    made = 0
    const answers = await Promise.all([1, 2, 3].map(() => app.inject({ url })))
    assert.deepEqual([made, new Set(answers.map(({ body }) => body)).size], [1, 1], url)
  }
  assert.equal((await app.inject({ url: '/api/v1/openapi.json' })).json().openapi, '3.1.0')
})
