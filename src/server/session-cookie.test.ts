import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { test } from 'node:test'
import { IDLE_MS } from './sessions.ts'
import { sessionCookie } from './session-cookie.ts'

const cookie = sessionCookie('secret')

type Given = { headers?: Record<string, string>; method?: string; local?: boolean }

const request = ({ headers = {}, method = 'GET', local = false }: Given = {}) =>
  ({ headers: { host: 'docs.example', ...headers }, method, client: { local } }) as unknown as FastifyRequest

/** The headers of an answer that sets or clears the cookie. */
function written(work: (reply: FastifyReply) => void): Record<string, string> {
  const headers: Record<string, string> = {}
  const header = (name: string, value: string) => Object.assign(headers, { [name]: value })
  work({ header } as unknown as FastifyReply)
  return headers
}

const nameOf = (given?: Given, one = cookie) =>
  written((reply) => one.set(request(given), reply, 'token'))['set-cookie']!.split('=')[0]!

const PLAIN = nameOf()
const SECURE = `__Host-${PLAIN}`

test('set() writes a cookie for this server alone, which scripts cannot read, for as long as a session may be idle', () => {
  assert.match(PLAIN, /^sluice-[0-9a-f]{12}$/)
  const headers = written((reply) => cookie.set(request(), reply, 'token'))
  assert.deepEqual(headers, {
    'cache-control': 'no-store',
    'set-cookie': `${PLAIN}=token; Path=/; HttpOnly; SameSite=Strict; Max-Age=${IDLE_MS / 1000}`,
  })
  assert.notEqual(nameOf({}, sessionCookie('another secret')), PLAIN)
})

test('set() writes a secure cookie to pages of https, and to those that have one', () => {
  for (const headers of [{ origin: 'https://docs.example' }, { cookie: `${SECURE}=old` }])
    assert.equal(
      written((reply) => cookie.set(request({ headers }), reply, 'token'))['set-cookie'],
      `${SECURE}=token; Path=/; HttpOnly; SameSite=Strict; Max-Age=${IDLE_MS / 1000}; Secure`,
    )
  assert.equal(nameOf({ headers: { origin: 'http://docs.example' } }), PLAIN)
})

test('clear() ends the cookie that the page has', () => {
  const cleared = (given?: Given) => written((reply) => cookie.clear(request(given), reply))['set-cookie']!
  assert.equal(cleared(), `${PLAIN}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`)
  assert.ok(cleared({ headers: { cookie: `${SECURE}=old` } }).startsWith(`${SECURE}=; `))
})

test('tokenOf() reads the cookie among others, the secure one first', () => {
  const tokenOf = (text: string) => cookie.tokenOf(request({ headers: { cookie: text } }))
  assert.equal(tokenOf(`${PLAIN}=one`), 'one')
  assert.equal(tokenOf(`a=b;  ${PLAIN}=o=ne ; c=d`), 'o=ne')
  assert.equal(tokenOf(`${PLAIN}=one; ${SECURE}=two`), 'two')
  for (const text of ['', `${PLAIN}=`, `x${PLAIN}=one`, `${PLAIN}x=one`, `${PLAIN}`, 'a=b'])
    assert.equal(tokenOf(text), undefined, text)
  assert.equal(cookie.tokenOf(request()), undefined)
})

for (const [what, given, isOurs] of [
  ['a read without a word about its page', {}, true],
  ['a read by HEAD', { method: 'HEAD' }, true],
  ['a write without a word about its page', { method: 'POST' }, false],
  ['a write of an own page', { method: 'POST', headers: { origin: 'https://docs.example' } }, true],
  ['a write of another site', { method: 'POST', headers: { origin: 'https://evil.example' } }, false],
  ['a read of another site', { headers: { origin: 'https://evil.example' } }, false],
  ['another port', { headers: { origin: 'http://docs.example:8080' } }, false],
  ['a page of the same site', { headers: { 'sec-fetch-site': 'same-site' } }, false],
  ['a page of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, false],
  ['an own page by its site', { headers: { 'sec-fetch-site': 'same-origin' } }, true],
  ['an address that a person typed', { headers: { 'sec-fetch-site': 'none' } }, true],
  ['a write from nowhere', { method: 'POST', headers: { 'sec-fetch-site': 'none' } }, false],
  [
    'another name of this machine',
    { local: true, headers: { host: 'evil.example', origin: 'http://evil.example' } },
    false,
  ],
] satisfies [string, Given, boolean][])
  test(`tokenOf() ${isOurs ? 'takes' : 'does not take'} the cookie with ${what}`, () => {
    const headers = { ...(given as Given).headers, cookie: `${PLAIN}=one` }
    assert.equal(cookie.tokenOf(request({ ...given, headers })), isOurs ? 'one' : undefined)
  })
