import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ERRORS } from '../../src/kit/errors.ts'
import type { Description } from '../support/described.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const { body: description, text } = await platform.call<Description>('GET', '/openapi.json')
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
)

test('the description is OpenAPI 3.1 with the version of the server', async () => {
  assert.equal(description.openapi, '3.1.0')
  const { body } = await platform.call<{ version: string }>('GET', '/api/v1/version')
  assert.equal(description.info.version, body.version)
  assert.equal((await platform.call('GET', '/api/v1/openapi.json')).text, text)
})

test('every reference in the description leads somewhere', () => {
  for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]*)"/g)) {
    const target = pointer!
      .split('/')
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], description)
    assert.ok(target, `there is no ${pointer}`)
  }
})

for (const { method, path, operation } of operations) {
  test(`${method} ${path} is described whole`, () => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
    assert.deepEqual(
      inPath.map(({ name, required }) => ({ name, required })),
      named.map((name) => ({ name, required: true })),
    )
    const contents = [
      operation.requestBody?.content ?? {},
      ...Object.values(operation.responses).map(({ content }) => content),
    ]
    const schemas = [
      ...operation.parameters,
      ...contents.flatMap((content) => Object.values(content)),
    ].flatMap(({ schema }) => schema ?? [])
    const ajv = new Ajv2020({ strict: false })
    for (const schema of schemas) assert.ok(ajv.validateSchema(schema), ajv.errorsText())
    assert.ok(Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)))
  })

  test(`${method} ${path} is mounted`, async () => {
    const address = path.replace(/\{\w+\}/g, 'no-such-thing')
    const { body } = await platform.manage<{ code?: string } | undefined>(method.toUpperCase(), address)
    assert.notEqual(body?.code, 'route_not_found')
  })
}

test('the page of routes names every route and every error, and holds no script', async () => {
  const page = await platform.call('GET', '/docs')
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
  for (const { path } of operations) assert.ok(page.text.includes(path), path)
  for (const code of Object.keys(ERRORS)) assert.ok(page.text.includes(code), code)
  assert.doesNotMatch(page.text, /<script/i)
})

test('the first page leads to the description', async () => {
  const { status, text: page } = await platform.call('GET', '/')
  assert.equal(status, 200)
  assert.match(page, /href="\/docs"/)
})
