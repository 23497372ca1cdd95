import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { runHere } from '../support/program-here.ts'

const platform = await makePlatform()
const place = mkdtempSync(path.join(tmpdir(), 'sluice-flow-folder-'))
after(() => rmSync(place, { recursive: true, force: true }))

const sluice = (...argv: string[]) =>
  runHere(['flow', ...argv, '--url', platform.url], {
    directory: place,
    environment: { SLUICE_KEY: ADMIN_KEY },
  })
const file = (folder: string, name: string) => path.join(place, folder, name)
const textIn = (folder: string, slug: string) => readFileSync(file(folder, `${slug}.yaml`), 'utf8')
const edit = (folder: string, slug: string, change: (text: string) => string) =>
  writeFileSync(file(folder, `${slug}.yaml`), change(textIn(folder, slug)))
const make = async (slug: string, template = 'quickstart') => {
  const made = await platform.manage('POST', '/api/v1/chatflows', { name: slug, slug, template })
  assert.equal(made.status, 200, made.text)
}
const smaller = (text: string) =>
  text.replace('node: sluiceTextSplitter\n', 'node: sluiceTextSplitter\n    inputs:\n      chunkSize: 600\n')

test('pull, push, pull of flows of the server gives equal files [cli:flow-folder]', async () => {
  for (const template of ['pdf-knowledge-base', 'agent-flow', 'event-agent', 'website', 'openapi-agent'])
    await make(`pulled-${template}`, template)
  const pulled = await sluice('pull', 'all')
  assert.equal(pulled.code, 0, pulled.stderr)
  const files = readdirSync(path.join(place, 'all')).filter((name) => name.endsWith('.yaml'))
  assert.ok(files.includes('pulled-website.yaml') && files.includes('quickstart.yaml'), String(files))
  const before = files.map((name) => readFileSync(file('all', name), 'utf8'))
  const pushed = await sluice('push', 'all', '--json')
  assert.equal(pushed.code, 0, pushed.stderr)
  for (const { outcome } of JSON.parse(pushed.stdout) as { outcome: string }[]) assert.equal(outcome, 'same')
  assert.equal((await sluice('pull', 'all')).code, 0)
  assert.deepEqual(
    files.map((name) => readFileSync(file('all', name), 'utf8')),
    before,
  )
})

test('diff shows what a file changes, and with --check the exit code tells it [cli:flow-folder]', async () => {
  await make('drifting')
  await sluice('pull', 'drift', 'drifting')
  assert.equal((await sluice('diff', 'drift', '--check')).code, 0)
  edit('drift', 'drifting', (text) => `# our flow\n${text}`)
  assert.equal((await sluice('diff', 'drift', '--check')).code, 0, 'a comment is no difference')
  edit('drift', 'drifting', smaller)
  const shown = await sluice('diff', 'drift')
  assert.equal(shown.code, 0)
  assert.match(shown.stdout, /^--- server\/drifting revision 1\n\+\+\+ drifting\.yaml\n@@/)
  assert.match(shown.stdout, /\n\+ {6}chunkSize: 600\n/)
  assert.doesNotMatch(shown.stdout, /our flow/)
  const checked = await sluice('diff', 'drift', '--check')
  assert.equal(checked.code, 1)
  assert.equal(checked.stdout, 'changed  drifting.yaml\n')
})

test('push --dry-run shows the changes and what they mean for the documents, and changes nothing [cli:flow-folder]', async () => {
  await make('planned')
  const loaded = await platform.upload('planned', { 'a.txt': 'The ferry leaves at noon.' })
  assert.equal(loaded.status, 200, loaded.text)
  await sluice('pull', 'plan', 'planned')
  edit('plan', 'planned', smaller)
  const planned = await sluice('push', 'plan', '--dry-run')
  assert.equal(planned.code, 0, planned.stderr)
  assert.match(planned.stdout, /^planned\.yaml {2}would change, revision 1\n {2}~ .*Chunk Size .* → 600\n/)
  assert.match(planned.stdout, /1 document loaded with other settings: Chunk Size/)
  assert.equal((await sluice('diff', 'plan', '--check')).code, 1)
  const pushed = await sluice('push', 'plan')
  assert.equal(pushed.code, 0, pushed.stderr)
  assert.match(pushed.stdout, /^planned\.yaml {2}pushed, revision 2\n/)
  assert.equal((await sluice('diff', 'plan', '--check')).code, 0)
  assert.equal((await sluice('push', 'plan')).stdout, 'planned.yaml  same, revision 2\n')
})

test('push is refused where the server has a newer revision than the one pulled, unless forced [cli:flow-folder]', async () => {
  await make('contested')
  await sluice('pull', 'contest', 'contested')
  const renamed = await platform.manage('PUT', '/api/v1/chatflows/contested', { name: 'Theirs' })
  assert.equal(renamed.status, 200)
  edit('contest', 'contested', smaller)
  const refused = await sluice('push', 'contest')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /the server has revision 2 of contested, and the file is of revision 1/)
  const kept = await sluice('pull', 'contest', 'contested')
  assert.equal(kept.code, 1)
  assert.match(kept.stderr, /contested\.yaml has changes that were not pushed/)
  assert.match(textIn('contest', 'contested'), /chunkSize: 600/)
  assert.equal((await sluice('push', 'contest', '--force')).code, 0)
  assert.equal((await sluice('diff', 'contest', '--check')).code, 0)
})

test('a file that was not pulled is not pushed over a flow that is there [cli:flow-folder]', async () => {
  await make('unpulled')
  await sluice('pull', 'strange', 'unpulled')
  rmSync(file('strange', '.sluice-flows.json'))
  edit('strange', 'unpulled', smaller)
  const refused = await sluice('push', 'strange')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /unpulled was not pulled into this folder/)
})

test('push makes a flow that is not there, closed to all but managers [cli:flow-folder]', async () => {
  await make('original')
  await sluice('pull', 'fresh', 'original')
  writeFileSync(
    file('fresh', 'made-of-text.yaml'),
    textIn('fresh', 'original').replace('flow: original', 'flow: Made of text'),
  )
  const pushed = await sluice('push', 'fresh', 'made-of-text')
  assert.equal(pushed.code, 0, pushed.stderr)
  assert.match(pushed.stdout, /^made-of-text\.yaml {2}created, revision 1/)
  const { body } = await platform.manage<{ name: string; apikeyid: string }>(
    'GET',
    '/api/v1/chatflows/made-of-text',
  )
  assert.deepEqual([body.name, body.apikeyid], ['Made of text', 'closed'])
  assert.equal((await sluice('diff', 'fresh', '--check')).code, 0)
})

test('with a mistake in one file nothing is pushed, and file, line and column are named [cli:flow-folder]', async () => {
  for (const slug of ['right', 'wrong']) await make(slug)
  await sluice('pull', 'mixed', 'right', 'wrong')
  edit('mixed', 'right', smaller)
  edit('mixed', 'wrong', (text) => text.replace('node: fileLoader\n', 'node: fileLoder\n'))
  const pushed = await sluice('push', 'mixed')
  assert.equal(pushed.code, 1)
  assert.match(
    pushed.stderr,
    /^wrong\.yaml:\d+:11: There is no node fileLoder: did you mean fileLoader\?\nNothing was pushed\.\n$/,
  )
  assert.equal(
    (await sluice('diff', 'mixed', 'right', '--check')).code,
    1,
    'the right one is not pushed either',
  )
})

test('a folder without files, a name that is no slug, and a flow that is not there are told [cli:flow-folder]', async () => {
  const none = await sluice('push', 'nowhere')
  assert.equal(none.code, 1)
  assert.match(none.stderr, /There is no folder nowhere/)
  const gone = await sluice('pull', 'gone', 'no-such-flow')
  assert.equal(gone.code, 1)
  assert.match(gone.stderr, /There is no flow no-such-flow/)
  await sluice('pull', 'named', 'quickstart')
  writeFileSync(file('named', 'Not A Slug.yaml'), 'nodes: {}\n')
  assert.match((await sluice('diff', 'named')).stderr, /Not A Slug\.yaml is not named after a flow/)
})
