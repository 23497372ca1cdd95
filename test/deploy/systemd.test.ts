import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const unit = path.join(import.meta.dirname, '../../deploy/systemd/sluice.service')
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const skip = analyze('--version').status === 0 ? false : 'systemd-analyze is not installed'

test('systemd finds no fault in the unit', { skip }, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-unit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const verify = (text: string) => {
    const file = path.join(folder, 'sluice.service')
    writeFileSync(file, text)
    return analyze('verify', '--man=no', file)
      .stderr.split('\n')
      .filter((line) => line.includes(file))
  }
  const text = readFileSync(unit, 'utf8')
  assert.deepEqual(verify(text), [])
  assert.notDeepEqual(verify(`${text}\n[Service]\nProtectSystm=strict\n`), [])
})

test('systemd calls the exposure of the unit OK, which is below 3 of 10', { skip }, () => {
  const { stdout, stderr } = analyze('security', '--offline=true', unit)
  const exposure = /Overall exposure level for sluice\.service: ([\d.]+)/.exec(stdout)?.[1]
  assert.ok(exposure, stderr)
  assert.ok(Number(exposure) < 3, exposure)
})
