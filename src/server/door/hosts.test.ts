import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { createHostCheck } from './hosts.ts'

const request = (host: string | undefined, more: object = {}) =>
  ({
    ...{ httpVersion: '1.1', headers: host === undefined ? {} : { host } },
    rawHeaders: host === undefined ? [] : ['Accept', 'host', 'Host', host],
    ...more,
  }) as unknown as IncomingMessage

/** What a host is refused with; undefined where it is accepted, also the second time. */
function refusal(bound: string, host: string, allowed: string[] = []): string | undefined {
  const check = createHostCheck(bound, allowed)
  for (let time = 0; time < 2; time++)
    try {
      check(request(host))
    } catch (error) {
      return (error as { code: string }).code
    }
  return undefined
}

for (const bound of ['127.0.0.1', '0.0.0.0'])
  for (const host of ['localhost', 'LOCALHOST:3000', 'localhost.:3000', '127.0.0.1:1', '[::1]:65535'])
    test(`createHostCheck() on ${bound} accepts ${host}`, () => {
      assert.equal(refusal(bound, host), undefined)
    })

for (const host of ['192.168.1.5:3000', '[2001:db8::1]', 'printer:80', 'nas'])
  test(`createHostCheck() accepts ${host} only on a server that other machines reach`, () => {
    assert.equal(refusal('0.0.0.0', host), undefined)
    assert.equal(refusal('127.0.0.1', host), 'host_refused')
  })

test('createHostCheck() refuses the names of web sites on both, and tells how to allow them', () => {
  for (const bound of ['127.0.0.1', '0.0.0.0']) assert.equal(refusal(bound, 'evil.example'), 'host_refused')
  assert.throws(() => createHostCheck('127.0.0.1', [])(request(`${'a'.repeat(300)}.example:1`)), {
    facts: {
      host: 'a'.repeat(255),
      hint: 'Behind a proxy or another name of this machine: list the name in ALLOWED_HOSTS',
    },
  })
})

test('createHostCheck() accepts the name of the machine, the bound name and those that are listed', () => {
  assert.equal(refusal('127.0.0.1', hostname()), undefined)
  assert.equal(refusal('Docs.Example', 'docs.example:80'), undefined)
  assert.equal(refusal('127.0.0.1', 'DOCS.example', ['docs.Example']), undefined)
  assert.equal(refusal('127.0.0.1', 'any.thing', ['*']), undefined)
})

test('createHostCheck() accepts all names below a listed domain, and not the domain itself', () => {
  const below = (host: string) => refusal('127.0.0.1', host, ['*.Shop.example'])
  assert.equal(below('a.shop.example'), undefined)
  assert.equal(below('a.b.SHOP.example.'), undefined)
  for (const host of ['shop.example', 'ashop.example', 'a.shop.example.evil'])
    assert.equal(below(host), 'host_refused', host)
})

test('createHostCheck() refuses what is no name or address', () => {
  for (const host of ['', 'a b', 'a/b', 'a:123456', 'a:x', '[::1', 'user@localhost', 'localhost:80:80'])
    assert.equal(refusal('0.0.0.0', host), 'host_invalid', host)
})

test('createHostCheck() refuses a missing header, except in HTTP/1.0, and several', () => {
  const check = createHostCheck('127.0.0.1', ['*'])
  assert.throws(() => check(request(undefined)), { code: 'host_invalid', message: /it is missing/ })
  check(request(undefined, { httpVersion: '1.0' }))
  const rawHeaders = ['HOST', 'localhost', 'Accept', '*/*', 'host', 'localhost']
  assert.throws(() => check(request('localhost', { rawHeaders })), {
    code: 'host_invalid',
    message: /there are several/,
  })
})
