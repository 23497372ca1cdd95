import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { temporaryDirectory } from '../support/command-line.ts'
import { readScrape } from '../support/metrics.ts'
import { lacking } from '../support/needs.ts'
import { makePlatform } from '../support/platform.ts'
import { promtoolPath } from '../support/promtool.ts'

const deploy = path.join(import.meta.dirname, '../../deploy')
const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8')

const platform = await makePlatform()
const { families } = readScrape((await platform.call('GET', '/metrics')).text)

/** Every name that a query may use: a histogram has three. */
const names = new Set(
  families.flatMap(({ name, type }) =>
    type === 'HISTOGRAM' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name],
  ),
)
/** A metric that Prometheus makes. */
names.add('up')

type Panel = {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}
const dashboard = JSON.parse(read('grafana/sluice.json')) as { panels: Panel[]; uid: string }
const { groups } = parse(read('prometheus/alerts.yml')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[]
}

/** The names of metrics in a query: words that are no function, no label and no keyword. */
const metricsIn = (query: string): string[] =>
  query
    .replace(/"[^"]*"/g, '""')
    .replace(/\b(by|without) \([^)]*\)/g, '')
    .match(/\b(?:sluice|process|nodejs)_\w+|\bup\b/g) ?? []

const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

test(`the queries of the dashboard are PromQL`, { skip: lacking('promtool') }, (t) => {
  const file = path.join(temporaryDirectory(t), 'rules.yml')
  // What Grafana fills in.
  const given = queries.map((expr) => expr.replaceAll(/\$__\w+/g, '5m').replaceAll(/\$\w+/g, '.*'))
  const rules = given.map((expr, at) => ({ record: `query:${at}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
  const checked = spawnSync(promtoolPath()!, ['check', 'rules', '--lint=none', file], { encoding: 'utf8' })
  assert.equal(checked.status, 0, checked.stderr)
  assert.match(checked.stdout, new RegExp(`SUCCESS: ${queries.length} rules`))
})

for (const { title, targets = [] } of dashboard.panels.filter((panel) => panel.targets))
  test(`the panel "${title}" of the dashboard shows metrics that the server has`, () => {
    for (const { expr } of targets) {
      const used = metricsIn(expr)
      assert.ok(used.length > 0, expr)
      for (const name of used) assert.ok(names.has(name), `there is no metric ${name}`)
    }
  })

for (const { alert, expr, annotations } of groups.flatMap(({ rules }) => rules))
  test(`the alert ${alert} asks metrics that the server has, and says what is wrong`, () => {
    const used = metricsIn(expr)
    assert.ok(used.length > 0, expr)
    for (const name of used) assert.ok(names.has(name), `there is no metric ${name}`)
    assert.ok(annotations.summary.length > 10)
  })

test('the dashboard shows every metric of the server, and no panels overlap', () => {
  const shown = new Set(
    dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))),
  )
  const hidden = families
    .map(({ name }) => name)
    .filter((name) => !['', '_bucket', '_count'].some((ending) => shown.has(name + ending)))
  assert.deepEqual(hidden, [])
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  assert.equal(new Set(cells).size, cells.length)
  const ids = dashboard.panels.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
})
