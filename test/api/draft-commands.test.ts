import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { DraftStateAnswer } from '../../src/api/flow-draft.ts'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { sluice, temporaryDirectory } from '../support/command-line.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

test('sluice flow draft saves, shows, previews, publishes and removes a draft, also as JSON [drafts:cli]', async (t) => {
  const directory = temporaryDirectory(t)
  const run = (...argv: string[]) =>
    sluice(['flow', 'draft', ...argv, '--url', platform.url, '--key', ADMIN_KEY], { directory })
  const flow = await platform.flow({
    slug: 'drafted',
    splitter: { chunkSize: 60, chunkOverlap: 0 },
    recordManager: { cleanup: 'incremental' },
  })
  await platform.manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
  const lines = Array.from({ length: 8 }, (_, n) => `Line ${n} says that the otters of the bay swim.`)
  await platform.upload(flow, { 'lines.txt': lines.join('\n\n') })

  const none = await run('show', 'drafted')
  assert.deepEqual([none.code, none.stdout], [0, 'The flow drafted has no draft: revision 2 is live.\n'])
  for (const command of ['publish', 'preview', 'rm']) {
    const refused = await run(command, 'drafted')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /The flow drafted has no draft/)
  }

  const { body } = await platform.manage<{ flowData: string }>('GET', `/api/v1/chatflows/${flow}`)
  const file = path.join(directory, 'drawing.json')
  writeFileSync(file, body.flowData.replace('"chunkSize":60', '"chunkSize":130'))
  const saved = await run('save', 'drafted', 'drawing.json')
  assert.equal(saved.code, 0, saved.stderr)
  assert.match(
    saved.stdout,
    /^Draft of revision 2 of drafted, saved .* by ADMIN_KEY\n {2}Chunk Size 60 → 130/,
  )
  const twice = await run('save', 'drafted', 'drawing.json', '--if', '0')
  assert.match(twice.stderr, /its number is 1, this request is based on 0/)
  writeFileSync(path.join(directory, 'none.json'), '[]')
  assert.match((await run('save', 'drafted', 'none.json')).stderr, /is not a drawing of a flow/)
  const shown = await run('show', 'drafted', '--json')
  assert.equal((JSON.parse(shown.stdout) as DraftStateAnswer).draft!.number, 1)

  const preview = await run('preview', 'drafted')
  assert.equal(preview.code, 0, preview.stderr)
  assert.match(preview.stdout, /source +before +after/)
  assert.match(preview.stdout, /lines\.txt +8 +4 +4 +8 +0 +0/)
  assert.match(preview.stdout, /4 added, 8 deleted, 0 updated, 0 moved; ≈ \d+ tokens to embed in 4 texts/)
  const json = JSON.parse((await run('preview', 'drafted', '--json')).stdout) as UpsertAnswer & {
    sources: { source: string }[]
  }
  assert.deepEqual([json.fates!.added, json.sources.length, json.dryRun], [4, 1, true])

  const published = await run('publish', 'drafted')
  assert.equal(published.code, 0, published.stderr)
  assert.match(published.stderr, /The draft of drafted is live, as revision 3\./)
  assert.match(published.stderr, /1 document loaded with other settings: Chunk Size 60 → 130/)
  await run('save', 'drafted', 'drawing.json')
  const removed = await run('rm', 'drafted', '--json')
  assert.deepEqual([removed.code, removed.stdout], [0, '{"raw":[],"affected":1}\n'])
})
