import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { PINNED_ROUTES, ROUTES } from '../../test/support/routes.ts'
import { EXAMPLES } from './docs/examples.ts'
import type { Route } from './route.ts'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const files = globSync('routes/*.ts', { cwd: import.meta.dirname }).filter(
  (file) => !file.endsWith('.test.ts'),
)

test('the routes of every file of server/routes are mounted by app.ts, or by another of these files', () => {
  for (const file of files) {
    const [, name] = read(file).match(/export function (\w+Routes?)\(/) ?? []
    assert.ok(name, `src/server/${file} exports no function that ends with Routes`)
    const mounting = ['app.ts', ...files.filter((other) => other !== file)]
    assert.ok(
      mounting.some((other) => read(other).includes(`...${name}(`) || read(other).includes(` ${name}(`)),
      `${name} of src/server/${file} is not mounted: add it to the list of src/server/app.ts`,
    )
  }
})

/** Stands for every part that a file of routes takes: its routes are declared, and none is called. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
  construct: () => anything as object,
})

async function declaredRoutes(): Promise<Route[]> {
  const made: Route[] = []
  for (const file of files) {
    const exported = Object.entries((await import(`./${file}`)) as Record<string, unknown>)
    for (const [name, make] of exported)
      if (/Routes?$/.test(name) && typeof make === 'function')
        made.push(...[make(...Array<unknown>(make.length).fill(anything))].flat())
  }
  return made
}

/** The first two words of each line of a table: method and path. */
const linesOf = (table: string) =>
  new Set(
    table
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/).slice(0, 2).join(' ')),
  )

/** The third word of each line, by method and path. */
const thirdOf = (table: string) =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/))
      .map(([method, url, third]) => [`${method} ${url}`, third]),
  )

/** Routes whose handler looks for the scope: without it what they name is not found. */
const SCOPE_IN_HANDLER = ['GET /v1/models/:model']

/** What a key needs, as the table of callers writes it. */
function scopeOf(access: Route['access']): string {
  if (typeof access === 'string') return access === 'manage' ? 'manage' : '-'
  return [access.flow, ...(access.or ? [access.or] : [])].join('/')
}

test('each declared route has an example, a line in the table of callers, and a decision about keys with pins', async () => {
  const examples = new Set(Object.keys(EXAMPLES))
  const [callers, pinned] = [linesOf(ROUTES), linesOf(PINNED_ROUTES)]
  const [scopes, kinds] = [thirdOf(ROUTES), thirdOf(PINNED_ROUTES)]
  const routes = await declaredRoutes()
  assert.ok(routes.length > 100, String(routes.length))
  for (const { method, url, access } of routes) {
    const route = `${method} ${url}`
    assert.ok(examples.has(route), `${route} has no example in src/server/docs/examples.ts`)
    assert.ok(callers.has(route), `${route} has no line in ROUTES of test/support/routes.ts`)
    const isManaged = access === 'manage'
    assert.ok(
      isManaged || pinned.has(route),
      `${route} has no line in PINNED_ROUTES of test/support/routes.ts`,
    )
  }
  for (const { method, url, access, pinned: declared } of routes) {
    const route = `${method} ${url}`
    assert.ok(
      scopes.get(route) === scopeOf(access) || SCOPE_IN_HANDLER.includes(route),
      `${route} asks for the scope ${scopeOf(access)}, and for ${scopes.get(route)} in ROUTES of test/support/routes.ts`,
    )
    const kind = access === 'open' ? 'open' : (declared ?? 'refused')
    assert.ok(
      access === 'manage' || kinds.get(route) === kind,
      `${route} is ${kind} for keys with pins, and ${kinds.get(route)} in PINNED_ROUTES of test/support/routes.ts`,
    )
  }
  const declared = new Set(routes.map(({ method, url }) => `${method} ${url}`))
  for (const route of examples)
    assert.ok(declared.has(route), `src/server/docs/examples.ts has ${route}, which no file declares`)
})
