import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, parseJson } from '../../../../src/kit/json.ts'
import type { EngineReply, EngineRequest, ScriptedEngine } from '../scripted-engine.ts'

type Tree = Record<string, unknown>

/** An OpenAPI document with its schemas in JSON Schema 2020-12. Values of `lines` describe bodies in NDJSON. */
export type ApiDocument = { paths: Record<string, Record<string, Tree>> } & Tree

type Parameter = { name: string; in: string; required?: boolean; schema?: Tree }

/** Judges calls and answers by a description. The judge throws what is wrong, and returns the operation. */
export function judgeOf(document: ApiDocument): (request: EngineRequest, reply: EngineReply) => string {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, coerceTypes: false })
  ajv.addSchema(document, 'api')
  const { paths } = document

  function check(pointer: readonly string[], value: unknown): void {
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

  function checkParameters({ query, headers }: EngineRequest, at: readonly string[], operation: Tree): void {
    const parameters = (operation.parameters ?? []) as Parameter[]
    for (const name of query.keys())
      assert.ok(
        parameters.some((one) => one.in === 'query' && one.name === name),
        `${at[1]} has no ${name}`,
      )
    for (const [place, { name, in: where, required = false, schema }] of parameters.entries()) {
      if (where !== 'query' && where !== 'header') continue
      const values = where === 'query' ? query.getAll(name) : [headers[name.toLowerCase()] ?? []].flat()
      assert.ok(values.length > 0 || !required, `${at[1]} needs ${name}`)
      if (values.length === 0 || !schema) continue
      const read = (value: string) =>
        schema.type === 'integer' || schema.type === 'boolean' ? (parseJson(value) ?? value) : value
      const value = schema.type === 'array' ? values : read(values[0]!)
      check([...at, 'parameters', `${place}`, 'schema'], value)
    }
  }

  function checkBody({ method, headers, body, lines }: EngineRequest, at: string[], operation: Tree): void {
    const isLines = lines.length > 0
    if (isLines || body !== undefined) {
      assert.ok(isObject(operation.requestBody), `${method} ${at[1]} takes no body`)
      const type = isLines ? 'application/x-ndjson' : 'application/json'
      assert.equal(headers['content-type'], type)
      const content = (operation.requestBody.content as Tree)[type]
      assert.ok(isObject(content), `${at[1]} takes no ${type}`)
      if (isObject(body)) {
        const known = named(content.schema)
        for (const key of Object.keys(body)) assert.ok(known.includes(key), `${at[1]} takes no ${key}`)
      }
      check([...at, 'requestBody', 'content', type, 'schema'], isLines ? lines : body)
    } else assert.ok(!isObject(operation.requestBody) || operation.requestBody.required !== true)
  }

  return (request, { status, body: answer }) => {
    const { method, path: address } = request
    const verb = method.toLowerCase()
    const template = Object.keys(paths).find(
      (one) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address) && paths[one]![verb],
    )
    assert.ok(template, `${method} ${address} is not described`)
    const operation = paths[template]![verb]!
    const at = ['paths', template, verb]
    checkParameters(request, at, operation)
    checkBody(request, at, operation)
    const responses = operation.responses as Record<string, Tree | undefined>
    const described = [`${status}`, `${Math.floor(status / 100)}XX`, 'default'].find((one) => responses[one])
    if (described !== undefined && isObject(responses[described]?.content))
      check([...at, 'responses', described, 'content', 'application/json', 'schema'], answer)
    else if (described === undefined)
      assert.notEqual(status, 200, `${verb} ${template} has no answer ${status}`)
    return `${verb} ${template}`
  }
}

/** Judges all that a scripted server is asked and answers, until the test that is declared here, at the end of a file. */
export function judged(name: string, scripted: ScriptedEngine, document: ApiDocument): { end(): void } {
  const judge = judgeOf(document)
  const seen = new Set<string>()
  const wrong = new Set<string>()
  scripted.observe = (request, reply) => {
    try {
      seen.add(judge(request, reply))
    } catch (error) {
      wrong.add((error as Error).message)
    }
  }
  return {
    end() {
      test(`${name} was called as its published description says by all tests of this file, and answered so`, () => {
        assert.deepEqual([...wrong], [])
        const all = Object.entries(document.paths).flatMap(([path, verbs]) =>
          Object.keys(verbs).map((verb) => `${verb} ${path}`),
        )
        assert.deepEqual([...seen].sort(), all.sort())
      })
    },
  }
}
