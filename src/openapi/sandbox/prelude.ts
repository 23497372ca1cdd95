/** The modules that custom code can import. */
export const SANDBOX_MODULES: readonly string[] = ['node-fetch']

/**
 * The environment of custom code besides the language itself: the source of a function that runs inside the sandbox.
 * It takes the functions that send requests, wait and write dates, and the variables. Custom code can only change its own globals.
 */
export const PRELUDE = `(function (send, wait, localise, variables) {
  'use strict'
  const { parse, stringify } = JSON
  const plain = (headers) => {
    const entries = headers && typeof headers.entries === 'function' ? [...headers.entries()] : Object.entries(headers ?? {})
    return Object.fromEntries(entries.map(([name, value]) => [String(name), String(value)]))
  }
  const headersOf = (entries) => {
    const map = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]))
    return {
      get: (name) => map.get(String(name).toLowerCase()) ?? null,
      has: (name) => map.has(String(name).toLowerCase()),
      entries: () => map.entries(),
      keys: () => map.keys(),
      values: () => map.values(),
      forEach: (use) => map.forEach((value, name) => use(value, name)),
      [Symbol.iterator]: () => map.entries(),
    }
  }
  const fetch = async (url, options = {}) => {
    const { method = 'GET', headers, body } = options ?? {}
    const call = { url: String(url), method: String(method), headers: plain(headers) }
    if (body !== undefined && body !== null) call.body = typeof body === 'string' ? body : stringify(body)
    const answer = parse(await send(stringify(call)))
    return {
      ok: answer.status >= 200 && answer.status < 300,
      status: answer.status,
      statusText: answer.statusText,
      url: answer.url,
      headers: headersOf(answer.headers),
      text: async () => answer.text,
      json: async () => parse(answer.text),
    }
  }
  const ignore = () => undefined
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  define('fetch', fetch)
  define('console', { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore })
  define('require', (name) => {
    if (name === 'node-fetch') return fetch
    throw new Error('There is no module ' + name + '; fetch is available without one')
  })
  const timers = new Set()
  let lastTimer = 0
  define('setTimeout', (use, ms, ...values) => {
    const timer = (lastTimer += 1)
    timers.add(timer)
    wait(Number(ms)).then(() => {
      if (timers.delete(timer) && typeof use === 'function') use(...values)
    })
    return timer
  })
  define('clearTimeout', (timer) => void timers.delete(timer))
  const forms = (target, of, names) => {
    for (const form of names)
      Object.defineProperty(target, form, {
        value(...rest) { return localise(stringify({ of, form, value: Number(this), rest })) },
        writable: true,
        configurable: true,
      })
  }
  forms(Date.prototype, 'date', ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
  forms(Number.prototype, 'number', ['toLocaleString'])
  const { values, unset } = parse(variables)
  for (const name of unset) define(name, undefined)
  for (const [name, value] of Object.entries(values)) define(name, value)
  return async (run) => {
    const value = await run()
    // As JSON, because a plain text would end at its first null character on its way out of the sandbox.
    return stringify(typeof value === 'string' ? value : (stringify(value) ?? ''))
  }
})`

/** The author's code as the function that the prelude runs; line numbers stay the same. */
export const wrapAsFunction = (code: string): string => `(async () => { ${code}\n})`
