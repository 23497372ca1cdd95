import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { lacking } from '../support/needs.ts'
import { promtoolPath } from '../support/promtool.ts'

const rules = path.join(import.meta.dirname, '../../deploy/prometheus/alerts.yml')
const tests = path.join(import.meta.dirname, 'alerts.yml')

function promtool(file: string) {
  const { status, stdout, stderr } = spawnSync(promtoolPath()!, ['test', 'rules', file], { encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

test('alerts fire for what they are about and not for probes, while the database is away or a server is replaced [metrics:alerts]', {
  skip: lacking('promtool'),
}, (t) => {
  const { status, said } = promtool(tests)
  assert.equal(status, 0, said)
  // With probes among the requests the tests fail.
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-alerts-'))
  t.after(() => rmSync(home, { recursive: true }))
  for (const folder of ['test/deploy', 'deploy/prometheus'])
    mkdirSync(path.join(home, folder), { recursive: true })
  cpSync(tests, path.join(home, 'test/deploy/alerts.yml'))
  const withProbes = readFileSync(rules, 'utf8').replaceAll(/,?route!~"[^"]*"/g, '')
  writeFileSync(path.join(home, 'deploy/prometheus/alerts.yml'), withProbes)
  const spoiled = promtool(path.join(home, 'test/deploy/alerts.yml'))
  assert.equal(spoiled.status, 1, spoiled.said)
  assert.match(spoiled.said, /SluiceRequestsFail/)
})

test('every alert has a test', () => {
  const { groups } = parse(readFileSync(rules, 'utf8')) as { groups: { rules: { alert: string }[] }[] }
  const { tests: all } = parse(readFileSync(tests, 'utf8')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[]
  }
  const fire = new Set(
    all
      .flatMap(({ alert_rule_test: checks }) => checks)
      .filter(({ exp_alerts: expected }) => expected.length > 0)
      .map(({ alertname }) => alertname),
  )
  const untested = groups.flatMap((group) => group.rules).filter(({ alert }) => !fire.has(alert))
  assert.deepEqual(untested, [])
})
