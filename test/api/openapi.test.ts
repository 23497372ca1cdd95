import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ERRORS } from '../../src/kit/errors.ts'
import { OPERATORS } from '../../src/vector/filter.ts'
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

test('who has the description gets 304', async () => {
  const etag = (await platform.call('GET', '/openapi.json')).headers.get('etag')!
  const known = await fetch(`${platform.url}/openapi.json`, { headers: { 'if-none-match': etag } })
  assert.deepEqual([known.status, await known.text()], [304, ''])
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

/** What the policy of a page allows, directive by directive. */
const policyOf = (headers: Headers) =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split('; ')
      .map((directive) => directive.split(/ (.*)/).slice(0, 2)),
  ) as Record<string, string>

test('the page of routes names every route, parameter, field and error [docs:page]', async () => {
  const page = await platform.call('GET', '/docs')
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  for (const { path, operation } of operations) {
    assert.ok(page.text.includes(path), path)
    for (const { description } of operation.parameters) assert.ok(page.text.includes(escaped(description!)))
  }
  for (const code of Object.keys(ERRORS)) assert.ok(page.text.includes(code), code)
  for (const operator of OPERATORS) assert.ok(page.text.includes(operator), operator)
})

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

test('pages load only files of this server: no script or style is inline [docs:page]', async () => {
  for (const path of ['/', '/flows', '/docs', '/api/v1/docs']) {
    const { text, headers } = await platform.call('GET', path)
    const policy = policyOf(headers)
    assert.equal(policy['default-src'], "'none'")
    assert.equal(policy['script-src'], "'self'")
    assert.equal(policy['style-src'], "'self'")
    assert.doesNotMatch(headers.get('content-security-policy')!, /unsafe|\*|http/)
    assert.doesNotMatch(text, /<style| style=| on\w+=|javascript:/i)
    for (const [, attributes, inside] of text.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)) {
      assert.match(attributes!, /src="\/(docs\/try|assets\/[\w-]+)\.js"/)
      assert.equal(inside, '')
    }
    for (const [, file] of text.matchAll(/(?:src|href)="(\/(?:docs|assets)\/[^"]+)"/g))
      assert.equal((await platform.call('GET', file!)).status, 200)
  }
})

test('the first page leads to the description', async () => {
  const { status, text: page } = await platform.call('GET', '/')
  assert.equal(status, 200)
  assert.match(page, /href="\/docs"/)
})

/** Every schema in the description below a place, with the name of that place. */
function* schemasBelow(schema: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof schema !== 'object' || schema === null) return
  yield [place, schema as Schema]
  const { properties = {}, items, additionalProperties, not, propertyNames, ...rest } = schema as Schema
  for (const [name, field] of Object.entries(properties)) yield* schemasBelow(field, `${place}.${name}`)
  for (const one of [items, additionalProperties, not, propertyNames]) yield* schemasBelow(one, `${place}[]`)
  for (const choice of [rest.anyOf, rest.oneOf, rest.allOf, rest.prefixItems])
    for (const one of choice ?? []) yield* schemasBelow(one, place)
}

type Schema = {
  $ref?: string
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: unknown
  additionalProperties?: unknown
  not?: unknown
  propertyNames?: unknown
  anyOf?: unknown[]
  oneOf?: unknown[]
  allOf?: unknown[]
  prefixItems?: unknown[]
}

const placed = [
  ...operations.flatMap(({ method, path, operation }) => {
    const contents = [
      operation.requestBody?.content ?? {},
      ...Object.values(operation.responses).map(({ content }) => content),
    ]
    return [
      ...operation.parameters.map(({ name, schema }) => [`${method} ${path} ?${name}`, schema] as const),
      ...contents.flatMap((content) =>
        Object.entries(content).map(([type, { schema }]) => [`${method} ${path} ${type}`, schema] as const),
      ),
    ]
  }),
  ...Object.entries(description.components.schemas),
] as const

test('no schema of the description is empty, and every answer has one [docs:described]', () => {
  for (const [place, root] of placed) {
    assert.ok(root, `${place} has no schema`)
    for (const [at, schema] of schemasBelow(root, place))
      assert.notDeepEqual(Object.keys(schema), [], `${at} is empty`)
  }
})

test('every JSON body and every JSON answer has a schema that names its fields or its items [docs:described]', () => {
  for (const { method, path, operation } of operations) {
    const bodies = [
      ['body', operation.requestBody?.content ?? {}] as const,
      ...Object.entries(operation.responses).map(([status, { content }]) => [status, content] as const),
    ]
    for (const [where, content] of bodies)
      for (const [type, { schema }] of Object.entries(content))
        if (/json/.test(type)) assert.ok(isTyped(schema), `${method} ${path} ${where}: any JSON is allowed`)
    for (const [status, { content }] of Object.entries(operation.responses))
      assert.equal(
        Object.keys(content).length === 0,
        status === '204' || status === '304',
        `${method} ${path} ${status}`,
      )
  }
})

/** Whether a schema requires more than JSON, or an object or a list of anything. */
function isTyped(schema: Schema | undefined): boolean {
  const { properties = {}, items, anyOf, oneOf, allOf, $ref } = schema ?? {}
  const choices = anyOf ?? oneOf
  if (choices) return choices.every((choice) => isTyped(choice as Schema))
  if (allOf) return allOf.some((part) => isTyped(part as Schema))
  return $ref !== undefined || Object.keys(properties).length > 0 || isTyped(items as Schema | undefined)
}

test('every parameter and every field is described, with an example [docs:described]', () => {
  for (const { method, path, operation } of operations)
    for (const { name, description, example } of operation.parameters) {
      assert.ok(description, `${method} ${path} ${name} has no description`)
      assert.notEqual(example, undefined, `${method} ${path} ${name} has no example`)
    }
  for (const [place, root] of placed)
    for (const [at, { properties = {} }] of schemasBelow(root, place))
      for (const [name, { description, examples }] of Object.entries(properties)) {
        assert.ok(description, `${at}.${name} has no description`)
        assert.ok(examples && examples.length > 0, `${at}.${name} has no example`)
      }
})

test('the example of every field without fields of its own is a value of its type [docs:described]', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { method, path, operation } of operations)
    for (const { name, schema, example } of operation.parameters)
      assert.ok(
        ajv.validate(schema as object, example),
        `${method} ${path} ${name} has the example ${JSON.stringify(example)}: ${ajv.errorsText()}`,
      )
  for (const [place, root] of placed)
    for (const [at, { properties = {} }] of schemasBelow(root, place))
      for (const [name, field] of Object.entries(properties)) {
        const example = field.examples?.[0]
        if (typeof example === 'object' && example !== null) continue
        assert.ok(
          ajv.validate(field, example),
          `${at}.${name} has the example ${JSON.stringify(example)}: ${ajv.errorsText()}`,
        )
      }
})
