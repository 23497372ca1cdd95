import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, type JsonObject } from '../../src/kit/json.ts'
import type { SeparateEngine } from '../../src/contract/vector-engine.ts'
import { chromaEngine } from '../../src/stores/remote/chroma.ts'
import { qdrantEngine } from '../../src/stores/remote/qdrant.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { clientOf } from '../support/engines/client-of.ts'
import { chromaProtocol } from '../support/engines/scripted-chroma.ts'
import {
  type EngineProtocol,
  type EngineRequest,
  startScriptedEngine,
} from '../support/engines/scripted-engine.ts'
import { qdrantProtocol } from '../support/engines/scripted-qdrant.ts'

const corpus = process.env.SLUICE_CORPUS

type Tree = Record<string, unknown>

/**
 * OpenAPI 3.0 allows null by a keyword of its own. Of the alternatives of Chroma's description, which is made from Rust's
 * enums, several may hold: an integer is a number, too.
 */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls)
  if (!isObject(value)) return value
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key === 'oneOf' ? 'anyOf' : key, withNulls(one)]),
  )
  if (nullable !== true) return rest
  return Object.keys(rest).length === 0 ? { type: 'null' } : { anyOf: [rest, { type: 'null' }] }
}

/** Judges calls and answers by a description; it throws what is wrong. */
function judgeOf(file: string) {
  const document = withNulls(JSON.parse(readFileSync(path.join(corpus!, 'specs', file), 'utf8'))) as Tree
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  const paths = document.paths as Record<string, Record<string, Tree>>

  function check(pointer: string[], value: unknown): void {
    const escaped = pointer.map((step) =>
      encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const validate = ajv.getSchema(`api#/${escaped.join('/')}`)
    assert.ok(validate, `nothing at ${pointer.join(' ')}`)
    assert.ok(validate(value), `${pointer.join(' ')}: ${ajv.errorsText(validate.errors)}`)
  }

  /** The properties that a schema names, through its parts and references. */
  function named(schema: unknown): string[] {
    if (!isObject(schema)) return []
    const { $ref, properties, allOf, anyOf, oneOf } = schema
    const target =
      typeof $ref === 'string'
        ? $ref
            .split('/')
            .slice(1)
            .reduce((at, step) => (at as Tree)[step], document as unknown)
        : undefined
    return [
      ...Object.keys((properties as Tree | undefined) ?? {}),
      ...[allOf, anyOf, oneOf].flatMap((parts) => (Array.isArray(parts) ? parts.flatMap(named) : [])),
      ...named(target),
    ]
  }

  return ({ method, path: address, query, body }: EngineRequest, status: number, answer: unknown): string => {
    const template = Object.keys(paths).find(
      (one) =>
        new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address) &&
        paths[one]![method.toLowerCase()],
    )
    assert.ok(template, `${method} ${address} is not described`)
    const verb = method.toLowerCase()
    const operation = paths[template]![verb]!
    const parameters = (operation.parameters ?? []) as { name: string; in: string }[]
    for (const name of query.keys())
      assert.ok(
        parameters.some((one) => one.in === 'query' && one.name === name),
        `${template} has no ${name}`,
      )
    const at = ['paths', template, verb]
    if (isObject(body)) {
      const content = ((operation.requestBody as Tree).content as Tree)['application/json'] as Tree
      const known = named(content.schema)
      for (const key of Object.keys(body)) assert.ok(known.includes(key), `${template} takes no ${key}`)
      check([...at, 'requestBody', 'content', 'application/json', 'schema'], body)
    }
    if (status === 200 && isObject((operation.responses as Tree)['200'] as Tree)) {
      const response = (operation.responses as Record<string, Tree>)['200']!
      if (isObject(response.content))
        check([...at, 'responses', '200', 'content', 'application/json', 'schema'], answer)
    }
    return `${verb} ${template}`
  }
}

const FILTER = parseFilter({
  $or: [
    { n: { $gt: 1, $lte: 7 } },
    { kind: { $nin: ['a'] } },
    { 'deep.x': { $lt: 3 } },
    { tag: { $exists: true } },
  ],
})

/** Calls everything that an engine has. */
async function exercise(engine: SeparateEngine): Promise<void> {
  const points = ['a', 'b', 'c'].map((id, n) => ({
    ...{ id, text: `text ${id}`, vector: Float32Array.of(1, n / 2) },
    metadata: { n, kind: 'x', list: [1, 'two'], deep: { x: n, nothing: null } } satisfies JsonObject,
  }))
  await engine.upsert('c', points)
  await engine.upsert('c', points)
  const vector = Float32Array.of(1, 0)
  const found = await engine.search('c', {
    vector,
    metric: 'cosine',
    limit: 5,
    vectors: true,
    filter: FILTER,
  })
  assert.ok(found.length > 0)
  await engine.search('c', { vector, metric: 'cosine', limit: 5 })
  assert.equal((await engine.vectors('c', ['a', 'b'])).size, 2)
  await engine.delete('c', ['a'])
  async function* expected() {
    yield ['b', 'absent']
  }
  assert.deepEqual(await engine.repair('c', expected()), { removed: 1, missing: ['absent'] })
  await engine.drop('c')
  assert.deepEqual(await engine.search('c', { vector, metric: 'cosine', limit: 5 }), [])
}

const ENGINES: Record<
  string,
  { file: string; protocol: EngineProtocol; make(url: string): SeparateEngine; operations: number }
> = {
  Qdrant: {
    ...{ file: 'qdrant-1.18.json', protocol: qdrantProtocol(), operations: 8 },
    make: (url) =>
      qdrantEngine({ server: clientOf(url), name: 'q', collectionPrefix: 'test', metric: 'cosine' }),
  },
  Chroma: {
    ...{ file: 'chroma.json', protocol: chromaProtocol(), operations: 7 },
    make: (url) =>
      chromaEngine({ server: clientOf(url), name: 'c', collectionPrefix: 'test', metric: 'cosine' }),
  },
}

for (const [name, { file, protocol, make, operations }] of Object.entries(ENGINES)) {
  const title = `${name} is called as its description says, and the scripted server answers so`
  if (corpus === undefined) test(title, { skip: 'SLUICE_CORPUS is not set' })
  else {
    const scripted = await startScriptedEngine(protocol)
    after(() => scripted.close())
    test(title, async () => {
      const judge = judgeOf(file)
      const seen = new Set<string>()
      const wrong: string[] = []
      scripted.observe = (request, { status, body }) => {
        try {
          seen.add(judge(request, status, body))
        } catch (error) {
          wrong.push((error as Error).message)
        }
      }
      await exercise(make(scripted.url))
      assert.deepEqual([...new Set(wrong)], [])
      assert.equal(seen.size, operations, [...seen].join('\n'))
    })
  }
}
