import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../kit/json.ts'
import type { GuestAnswer, GuestCall } from './messages.ts'
import { type CodeLimits, createCodeRunner } from './run-code.ts'

const runner = createCodeRunner()
after(() => runner.close())

const calls: GuestCall[] = []

async function fetch(call: GuestCall): Promise<GuestAnswer> {
  calls.push(call)
  if (call.url.includes('denied')) throw new Error('this server may not call it')
  if (call.url.includes('never')) await new Promise(() => undefined)
  const text = call.url.includes('empty') ? '' : JSON.stringify({ seen: call.url })
  return {
    status: 201,
    statusText: 'Created',
    url: call.url,
    headers: [['content-type', 'application/json']],
    text,
  }
}

const { signal } = new AbortController()

const run = (code: string, values: JsonObject = {}, limits: Partial<CodeLimits> = {}) =>
  runner.run({ code, values, fetch, signal, limits })

for (const [what, code, expected] of [
  ['texts unchanged', 'return "a"', 'a'],
  ['other values as JSON', 'return { a: [1, null] }', '{"a":[1,null]}'],
  ['no result as an empty text', 'const a = 1', ''],
  ['the result of a promise', 'return await Promise.resolve().then(() => "b")', 'b'],
  ['texts with any characters', 'return "é\\u{1F600}\\0x"', 'é\u{1F600}\0x'],
  ['code that ends with a comment', 'return 1 // one', '1'],
] as const)
  test(`run() gives ${what} [openapi:custom-code]`, async () => {
    assert.equal(await run(code), expected)
  })

test('run() provides variables, and ignores what the code does to them', async () => {
  const values = { $url: 'u', $RequestBody: { a: 1 } }
  assert.equal(
    await run('$RequestBody.a = 2; $url = $url + "!"; return $url + $RequestBody.a', values),
    'u!2',
  )
  assert.deepEqual(values, { $url: 'u', $RequestBody: { a: 1 } })
})

test('run() provides a fetch with the usual interface', async () => {
  calls.length = 0
  const code = `
    const fetch = require('node-fetch')
    const answer = await fetch('http://api.example/', { method: 'POST', headers: { A: 1 }, body: { b: 2 } })
    return [answer.ok, answer.status, answer.statusText, answer.headers.get('Content-Type'), await answer.json(), await answer.text()]`
  assert.deepEqual(JSON.parse(await run(code)), [
    true,
    201,
    'Created',
    'application/json',
    { seen: 'http://api.example/' },
    '{"seen":"http://api.example/"}',
  ])
  assert.deepEqual(calls, [
    { url: 'http://api.example/', method: 'POST', headers: { A: '1' }, body: '{"b":2}' },
  ])
})

test('run() runs several calls of one piece of code at once', async () => {
  const code =
    'const all = await Promise.all([1, 2, 3].map((n) => fetch("http://x/" + n))); return all.map((a) => a.url)'
  assert.equal(await run(code), '["http://x/1","http://x/2","http://x/3"]')
})

test('run() throws the error of a call inside the code', async () => {
  assert.equal(
    await run('try { await fetch("http://denied/") } catch (error) { return error.message }'),
    'this server may not call it',
  )
})

/** For code that ends only because its time is over: the one limit that a case is about, since on a busy machine either of two may be over first. */
const SHORT_COMPUTING: Partial<CodeLimits> = { cpuMs: 100 }
const SHORT_IN_ALL: Partial<CodeLimits> = { totalMs: 600 }

for (const [what, code, reason] of [
  ['an endless loop', 'while (true) {}', /computes for more than 0\.1/],
  ['an endless row of promises', 'while (true) await null', /computes for more than 0\.1/],
  [
    'an endless loop that catches everything',
    'while (true) { try { while (true) {} } catch {} }',
    /computes for more/,
  ],
  ['an endless loop before the code begins', '}); while (true) {} (async () => {', /computes for more/],
  ['an endless loop while a call is open', 'fetch("http://never/"); while (true) {}', /computes for more/],
  [
    'a regular expression that never ends',
    'return /^(a+)+$/.test("a".repeat(50) + "b")',
    /computes for more/,
  ],
  [
    'a list that grows for ever',
    'const a = []; while (true) a.push(new Array(1e5).fill(a.length))',
    /memory|computes/,
  ],
  ['a text that doubles', 'let s = "x"; while (true) s += s', /memory|too long/],
  ['a buffer of a gigabyte', 'return new Uint8Array(1e9).length', /memory|length/],
  ['a function that calls itself', '(function f() { f() })()', /stack|recursion/],
  ['a promise that never settles', 'await new Promise(() => {})', /never settles/],
  ['a call that is never answered', 'await fetch("http://never/")', /takes longer than 0\.6 seconds/],
  ['a text of two million letters', 'return "x".repeat(2e6)', /returns more than/],
  ['ten thousand calls', 'for (let i = 0; i < 10000; i++) await fetch("http://x/")', /50 times/],
  ['a request of four million letters', 'await fetch("http://x/", { body: "x".repeat(4e6) })', /too large/],
  ['an object that contains itself', 'const o = {}; o.o = o; return o', /circular/],
  ['invalid code', 'this is no code', /SyntaxError/],
  ['an error', 'throw new TypeError("odd")', /^TypeError: odd$/],
  ['a thrown object without a valid message', 'throw { message: { toString() { throw 1 } } }', /./],
  ['a long error', 'throw new Error("x".repeat(1e5))', /^x{300}$/],
  ['a module', 'return (await import("node:fs")).readFileSync("/etc/hostname")', /could not load module/],
  ['a module by require', 'return require("node:fs")', /no module node:fs/],
] as const)
  test(`run() ends ${what} with a reason [openapi:custom-code]`, async () => {
    const limits = /computes/.test(reason.source)
      ? SHORT_COMPUTING
      : /takes/.test(reason.source)
        ? SHORT_IN_ALL
        : {}
    await assert.rejects(run(code, {}, limits), { message: reason })
    assert.equal(await run('return 1'), '1')
  })

for (const [what, code] of [
  ['the process', 'return typeof process'],
  ['the process, by a constructor', 'return this.constructor.constructor("return typeof process")()'],
  [
    'the process, by an error',
    'try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() }',
  ],
  [
    'the process, by what fetch gives',
    'const a = await fetch("http://x/"); return a.constructor.constructor("return typeof process")()',
  ],
  ['the process, by fetch itself', 'return fetch.constructor("return typeof process")()'],
  ['WebAssembly', 'return typeof WebAssembly'],
  ['another fetch', 'return typeof XMLHttpRequest'],
  ['a timer that goes on', 'return typeof setInterval'],
  ['a buffer of Node', 'return typeof Buffer'],
])
  test(`run() has no access to ${what} [openapi:custom-code]`, async () => {
    assert.equal(await run(code!), 'undefined')
  })

test('run() provides setTimeout, and code that waits does not count as computing [openapi:custom-code]', async () => {
  const code = `
    const order = []
    const never = setTimeout(() => order.push('never'), 1)
    clearTimeout(never)
    setTimeout((name) => order.push(name), 20, 'second')
    setTimeout(() => order.push('first'))
    await new Promise((resolve) => setTimeout(resolve, 1300))
    return order`
  assert.equal(await run(code, {}, { cpuMs: 1000 }), '["first","second"]')
  assert.equal(await run('setTimeout(() => 1, 1e9); return "at once"'), 'at once')
  await assert.rejects(
    run('await new Promise((go) => setTimeout(go, 1e9))', {}, SHORT_IN_ALL),
    /takes longer than 0\.6/,
  )
  await assert.rejects(run('for (;;) setTimeout(() => 1, 1e6)'), /setTimeout may be called 1000 times/)
})

test('run() writes dates and numbers in a language and a time zone [openapi:custom-code]', async () => {
  const code = `
    const date = new Date(Date.UTC(2026, 10, 27, 23, 5))
    return [
      date.toLocaleString('en-GB', { timeZone: 'Australia/Sydney', weekday: 'long', hour: '2-digit' }),
      date.toLocaleDateString('de-DE', { timeZone: 'Europe/Zurich' }),
      date.toLocaleTimeString('en-US'),
      (1234.5).toLocaleString('de-CH'),
      new Date(NaN).toLocaleString(),
    ]`
  const date = new Date(Date.UTC(2026, 10, 27, 23, 5))
  assert.deepEqual(JSON.parse(await run(code)), [
    date.toLocaleString('en-GB', { timeZone: 'Australia/Sydney', weekday: 'long', hour: '2-digit' }),
    date.toLocaleDateString('de-DE', { timeZone: 'Europe/Zurich' }),
    date.toLocaleTimeString('en-US', { timeZone: 'UTC' }),
    (1234.5).toLocaleString('de-CH'),
    'Invalid Date',
  ])
  await assert.rejects(run('return new Date().toLocaleString("en", { timeZone: "Nowhere/At" })'), /Nowhere/)
})

test('run() gives inputs that are left out no value, and does not refuse to read them', async () => {
  const given = {
    code: 'return [typeof $a, $b, typeof $c]',
    values: { $b: 1 },
    unset: ['$a', '$b'],
    fetch,
    signal,
  }
  assert.equal(await runner.run(given), '["undefined",1,"undefined"]')
})

test('run() keeps nothing of one piece of code for the next', async () => {
  await run('globalThis.left = 1; Array.prototype.map = null; JSON.parse = () => 7; return 1')
  assert.equal(await run('return typeof left + JSON.parse("1") + [1].map((n) => n)'), 'undefined11')
})

test('run() gives a late answer to no other code', async () => {
  const late = Promise.withResolvers<void>()
  const slow = async (call: GuestCall): Promise<GuestAnswer> => {
    if (call.url.endsWith('/first')) await late.promise
    else late.resolve()
    return fetch(call)
  }
  const once = (code: string) => runner.run({ code, values: {}, fetch: slow, signal })
  assert.equal(await once('fetch("http://x/first"); return "gone"'), 'gone')
  assert.equal(await once('return (await fetch("http://x/second")).url'), 'http://x/second')
})

test('run() works with code that changes its own globals', async () => {
  for (const code of [
    'Object.prototype.then = 1; Promise.prototype.then = null; return "ok"',
    'JSON.stringify = null; String.prototype.toString = null; return "ok"',
    'Object.defineProperty(Object.prototype, "type", { get() { throw 1 } }); return "ok"',
    'delete globalThis.fetch; globalThis.Promise = null; return "ok"',
  ])
    assert.equal(await run(code), 'ok')
})

test('run() ends at once when it is cancelled', async () => {
  const stop = new AbortController()
  const running = runner.run({ code: 'while (true) {}', values: {}, fetch, signal: stop.signal })
  stop.abort(new Error('enough'))
  await assert.rejects(running, /enough/)
  await assert.rejects(runner.run({ code: 'return 1', values: {}, fetch, signal: stop.signal }), /enough/)
})

test('run() queues code when many pieces run at once', async () => {
  const results = await Promise.all(Array.from({ length: 12 }, (_, n) => run(`return ${n}`)))
  assert.deepEqual(
    results,
    Array.from({ length: 12 }, (_, n) => String(n)),
  )
})
