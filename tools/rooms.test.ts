import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

/** Makes a small checkout: a source by path. */
function tree(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'sluice-rooms-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(root, file), source)
  }
  return root
}

function rooms(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'rooms.ts'), ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, lines: stderr.split('\n').filter(Boolean) }
}

const SOUND = {
  'src/kit/hash.ts': 'export const hash = 1\n',
  'src/formats/csv.ts': "import { hash } from '../kit/hash.ts'\nimport type { A } from '../contract/a.ts'\n",
  'src/contract/a.ts': "import type { hash } from '../kit/hash.ts'\nexport type A = typeof hash\n",
  'src/main.ts': "const { csv } = await import('./formats/csv.ts')\nimport '../src/kit/hash.ts'\n",
}

test('rooms --check prints nothing where every rule is kept', (t) => {
  assert.deepEqual(rooms('--check', '--root', tree(t, SOUND)), { status: 0, stdout: '', lines: [] })
})

test('rooms --check names file, line and rooms of each forbidden import', (t) => {
  const root = tree(t, {
    ...SOUND,
    'src/kit/log.ts': "\nimport { csv } from '../formats/csv.ts'\n",
    'src/upsert/run.ts': "export const card = () => import('../nodes/catalog.ts')\n",
    'src/nodes/catalog.ts': "import type { Run } from '../upsert/plan.ts'\n",
    'src/upsert/plan.ts': "import '../../tools/x.ts'\n",
  })
  const { status, lines } = rooms('--check', '--root', root)
  assert.equal(status, 1)
  assert.deepEqual(lines, [
    'src/kit/log.ts:2 kit → formats (src/formats/csv.ts): formats comes after kit in the order of rooms',
    'src/nodes/catalog.ts:1 nodes → upsert (src/upsert/plan.ts): cards do not import engines: platform/ connects them',
    'src/upsert/plan.ts:1 → tools/x.ts: code of src/ imports nothing outside it, its tests only test/support',
    'src/upsert/run.ts:1 upsert → nodes (src/nodes/catalog.ts): engines do not import cards: platform/ connects them',
  ])
})

test('rooms --check allows tests to import test/support, and only the rooms that their code may import', (t) => {
  const root = tree(t, {
    'src/db/open.test.ts': "import '../../test/support/folder.ts'\nimport '../stores/x.ts'\n",
    'src/db/open.ts': "import '../../test/support/folder.ts'\nimport './open.test.ts'\n",
  })
  assert.deepEqual(rooms('--check', '--root', root).lines, [
    'src/db/open.test.ts:2 db → stores (src/stores/x.ts): stores comes after db in the order of rooms',
    'src/db/open.ts:1 → test/support/folder.ts: code of src/ imports nothing outside it, its tests only test/support',
    'src/db/open.ts:2 db → db (src/db/open.test.ts): only the test runner loads tests',
  ])
})

test('rooms --check names circles of files, each once', (t) => {
  const root = tree(t, {
    'src/text/a.ts': "import { b } from './b.ts'\n",
    'src/text/b.ts': "import type { C } from './deep/c.ts'\n",
    'src/text/deep/c.ts': "import '../a.ts'\n",
    'src/text/d.ts': "import './d.ts'\nimport './a.ts'\n",
  })
  assert.deepEqual(rooms('--check', '--root', root).lines, [
    'src/text/a.ts:1 src/text/a.ts → src/text/b.ts → src/text/deep/c.ts → src/text/a.ts: these files import each other in a circle',
    'src/text/d.ts:1 src/text/d.ts → src/text/d.ts: these files import each other in a circle',
  ])
})

test('rooms --check names circles of the studio, also those of types', (t) => {
  const root = tree(t, {
    'studio/screens/flow/list.tsx': "import { Compared } from './compared.tsx'\n",
    'studio/screens/flow/compared.tsx': "import type { Row } from './list.tsx'\n",
  })
  assert.deepEqual(rooms('--check', '--root', root).lines, [
    'studio/screens/flow/compared.tsx:1 studio/screens/flow/compared.tsx → studio/screens/flow/list.tsx → studio/screens/flow/compared.tsx: these files import each other in a circle',
  ])
})

test('rooms --check lets only kit/config.ts read the environment', (t) => {
  const root = tree(t, {
    'src/kit/config.ts': 'export const port = process.env.PORT\n',
    'src/server/app.ts': '\nexport const other = process.env.PORT\n',
  })
  assert.deepEqual(rooms('--check', '--root', root).lines, [
    'src/server/app.ts:2 process.env is read only in src/kit/config.ts',
  ])
})

test('rooms --check lets only kit/egress call other servers', (t) => {
  const root = tree(t, {
    'src/kit/egress/client.ts': "import { fetch } from 'undici'\nimport 'node:net'\n",
    'src/server/app.ts': "import type { Server } from 'node:http'\nimport { get } from 'node:http'\n",
    'src/nodes/tool.ts':
      "const a = await import('undici')\nconst b = globalThis.fetch('x')\nconst c = 'globalThis.fetch'\n",
    'src/nodes/tool.test.ts': "import { createServer } from 'node:http'\n",
  })
  assert.deepEqual(rooms('--check', '--root', root).lines, [
    'src/nodes/tool.ts:1 other servers are called only through kit/egress',
    'src/nodes/tool.ts:2 other servers are called only through kit/egress',
    'src/server/app.ts:2 other servers are called only through kit/egress',
  ])
})

test('rooms --check lets server, command line and events declare no shapes of their own', (t) => {
  const root = tree(t, {
    'src/api/job.ts': "import { z } from 'zod'\nexport const jobShape = z.object({})\n",
    'src/agent/tool-input.ts': "import { z } from 'zod'\nexport const input = z.object({})\n",
    'src/server/route.ts': "import type { z } from 'zod'\nexport type Shape = z.ZodType\n",
    'src/server/routes/jobs.ts': "import type { Shape } from '../route.ts'\nimport { z } from 'zod'\n",
    'src/server/routes/jobs.test.ts': "import { z } from 'zod'\n",
    'src/server/routes/keys.ts': "import * as z from 'zod/mini'\n",
    'src/server/routes/flows.ts':
      "import { flow } from '../../api/flow.ts'\n// flow.partial()\nexport const shape = flow\n  .partial()\n",
    'src/server/docs/describe-schema.ts': "import { z } from 'zod'\n",
    'src/cli/job-answer.ts': "const { z } = await import('zod')\n",
  })
  assert.deepEqual(rooms('--check', '--root', root).lines, [
    'src/cli/job-answer.ts:1 shapes of requests and answers are declared in src/api/',
    'src/server/routes/flows.ts:4 shapes of requests and answers are declared in src/api/',
    'src/server/routes/jobs.ts:2 shapes of requests and answers are declared in src/api/',
    'src/server/routes/keys.ts:1 shapes of requests and answers are declared in src/api/',
  ])
})

test('rooms --check names a file without a room, once', (t) => {
  const root = tree(t, { ...SOUND, 'src/utils/x.ts': "import '../kit/hash.ts'\n" })
  assert.deepEqual(rooms('--check', '--root', root).lines, [
    'src/utils/x.ts:1 src/utils is not a room: add it to tools/rooms/house.ts',
  ])
})

test('rooms prints the rooms with what they import', (t) => {
  assert.deepEqual(rooms('--root', tree(t, SOUND)).stdout.trimEnd().split('\n'), [
    'room      files  lines  imports',
    'kit           1      1  –',
    'contract      1      2  kit 1',
    'formats       1      2  kit 1, contract 1',
    'main.ts       1      2  kit 1, formats 1',
  ])
})

test('rooms --svg draws a box per room and an arrow per import, and nothing where a rule is broken', (t) => {
  const root = tree(t, SOUND)
  const file = path.join(root, 'rooms.svg')
  assert.equal(rooms('--root', root, '--svg', file).status, 0)
  const svg = readFileSync(file, 'utf8')
  for (const room of ['kit', 'contract', 'formats', 'main.ts']) assert.ok(svg.includes(`>${room}<`), room)
  assert.equal(svg.match(/marker-end/g)?.length, 1)

  writeFileSync(path.join(root, 'src/kit/bad.ts'), "import '../main.ts'\n")
  assert.equal(rooms('--root', root, '--svg', file).status, 1)
})

test('rooms --check names what keeps src/api and its imports from running in a browser', (t) => {
  const root = tree(t, {
    'src/api/job.ts':
      "import { z } from 'zod'\nimport type { Row } from '../upsert/jobs.ts'\nimport { a } from '../contract/a.ts'\n",
    'src/api/flow.ts': "import { b } from '../kit/b.ts'\nimport { c } from '../upsert/jobs.ts'\n",
    'src/api/flow.test.ts': "import assert from 'node:assert/strict'\n",
    'src/contract/a.ts': "import path from 'node:path'\nexport const a = { process: 1 }.process\n",
    'src/kit/b.ts': 'export const b = () => Buffer.from("process")\n',
    'src/upsert/jobs.ts': "import fs from 'node:fs'\nexport type Row = typeof fs\nexport const c = 1\n",
  })
  const { status, lines } = rooms('--check', '--root', root)
  assert.equal(status, 1)
  assert.deepEqual(lines, [
    'src/contract/a.ts:1 contract/ holds types, and constants that are plain data: what runs belongs to the room that owns it',
    'src/kit/b.ts:1 Buffer: a browser does not have it',
    'src/api/flow.ts:2 → src/upsert/jobs.ts: src/api/ and what it imports must run in a browser',
    'src/contract/a.ts:1 → node:path: src/api/ and what it imports must run in a browser',
  ])
})
