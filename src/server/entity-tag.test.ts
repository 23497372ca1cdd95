import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { test } from 'node:test'
import { namesTag, sendTagged, taggedJson } from './entity-tag.ts'

test('taggedJson() has a weak tag that depends on the text alone', () => {
  const { text, tag } = taggedJson({ a: 1 })
  assert.equal(text, '{"a":1}')
  assert.match(tag, /^W\/"[0-9a-f]{32}"$/)
  assert.equal(taggedJson({ a: 1 }).tag, tag)
  assert.notEqual(taggedJson({ a: 2 }).tag, tag)
})

for (const [header, names] of [
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['"b" ,"a" ', true],
  [' * ', true],
  ['"b"', false],
  ['"aa"', false],
  ['a', false],
  ['"*"', false],
  ['', false],
  [undefined, false],
] as const)
  test(`namesTag() says that If-None-Match ${header} ${names ? 'names' : 'does not name'} W/"a"`, () => {
    assert.equal(namesTag(header, 'W/"a"'), names)
  })

test('sendTagged() sends the text, or 304 without it to who has it', () => {
  const tagged = taggedJson({ a: 1 })
  const answer = (header?: string) => {
    const sent: Record<string, unknown> = {}
    const note = (facts: object) => Object.assign(sent, facts) && reply
    const reply: object = {
      headers: note,
      code: (code: number) => note({ code }),
      type: (type: string) => note({ type }),
      send: (text?: string) => note({ text }),
    }
    const headers = header === undefined ? {} : { 'if-none-match': header }
    sendTagged({ headers } as FastifyRequest, reply as unknown as FastifyReply, tagged)
    return sent
  }
  const headers = { etag: tagged.tag, 'cache-control': 'private, no-cache' }
  const whole = { ...headers, type: 'application/json; charset=utf-8', text: tagged.text }
  assert.deepEqual(answer(), whole)
  assert.deepEqual(answer('"another"'), whole)
  assert.deepEqual(answer(tagged.tag), { ...headers, code: 304, text: undefined })
})
