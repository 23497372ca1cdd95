import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/kit/settings.ts'
import { composeCheck } from '../support/compose-check.ts'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const dockerfile = read('Dockerfile')
const instructions = dockerfile
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))

test('the Dockerfile has no fault that dockerfile-utils finds', () => {
  assert.deepEqual(
    validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    [],
  )
  assert.notDeepEqual(validate(`${dockerfile}\nUSSER x\n`), [])
})

test('the image runs as a user without rights, knows its health, and keeps its data in a volume', () => {
  const lastOf = (name: string) => lastStage.findLast((line) => line.startsWith(`${name} `))
  assert.match(lastOf('USER') ?? '', /^USER [1-9]\d*:[1-9]\d*$/)
  assert.equal(lastOf('VOLUME'), 'VOLUME /data')
  assert.match(lastOf('ENV') ?? '', /\bDATA_DIR=\/data\b/)
  assert.match(lastOf('HEALTHCHECK') ?? '', /\/healthz/)
})

test('the image copies files that exist, and all that the package of npm has', () => {
  const copied = lastStage
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1))
  for (const file of copied) assert.ok(existsSync(path.join(root, file)), file)
  const { files } = JSON.parse(read('package.json')) as { files: string[] }
  // The stage that builds it makes dist.
  assert.deepEqual(
    files.filter((file) => file !== 'dist' && !copied.includes(file)),
    [],
  )
})

type Service = {
  environment?: Record<string, string>
  volumes?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
}
type Compose = { services: Record<string, Service> }

const compose = parse(read('compose.yaml')) as Compose

test('compose.yaml has the shape of the Compose specification', () => {
  assert.deepEqual(composeCheck(compose), [])
  assert.notDeepEqual(composeCheck({ services: { sluice: { imaage: 'x' } } }), [])
})

test('compose.yaml sets settings that exist, mounts files that exist, and gives the server no rights', () => {
  const { sluice } = compose.services
  for (const name of Object.keys(sluice!.environment ?? {})) assert.ok(name in SETTINGS, name)
  assert.equal(sluice!.read_only, true)
  assert.deepEqual(sluice!.cap_drop, ['ALL'])
  assert.deepEqual(sluice!.security_opt, ['no-new-privileges:true'])
  const mounted = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes)
    .filter((volume) => volume.startsWith('./'))
  assert.ok(mounted.length > 0)
  for (const volume of mounted) assert.ok(existsSync(path.join(root, volume.split(':')[0]!)), volume)
})
