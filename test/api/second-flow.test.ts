import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { sluice as runSluice, temporaryDirectory } from '../support/command-line.ts'
import { data, inline, row, workbook } from '../support/workbook.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { type Answer, website } from '../support/website.ts'

/** Sentences that differ: equal chunks of a source are stored once. */
const numbered = (count: number, sentence: string) =>
  Array.from({ length: count }, (_, n) => `${sentence} That was ${n}. `).join('')

/** The commands of a second flow, in this process, against a real platform. */
const platform = await makePlatform()

const sluice = (...argv: string[]) => runSluice([...argv, '--url', platform.url, '--key', ADMIN_KEY])
const json = async <T>(...argv: string[]): Promise<T> => {
  const { code, stdout, stderr } = await sluice(...argv, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}
const given = (text: string, ...argv: string[]) =>
  runSluice([...argv, '--url', platform.url, '--key', ADMIN_KEY], { stdin: Readable.from([text]) })

/** A terminal on which a person types `lines`, and what it showed. */
async function typed(lines: string, ...argv: string[]) {
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    raw: [] as boolean[],
    setRawMode(on: boolean) {
      this.raw.push(on)
    },
  })
  stdin.write(lines)
  const answer = await runSluice([...argv, '--url', platform.url, '--key', ADMIN_KEY], { stdin })
  return { ...answer, raw: stdin.raw }
}

test('sluice flow new makes a flow with settings, key new --bind makes it need a key, flow show prints all of it', async () => {
  const made = await sluice('flow', 'new', 'Handbook', 'chunkSize=300', 'chunkOverlap=30', 'uploads=on')
  assert.deepEqual([made.code, made.stdout], [0, 'handbook\n'], made.stderr)
  assert.match(made.stderr, /^chunkSize +Sluice Text Splitter +1000 +300$/m)
  assert.match(made.stderr, /To require an API key: .*key new handbook --bind handbook/)
  const key = (await sluice('key', 'new', 'handbook', '--bind', 'handbook')).stdout.trim()
  assert.match(key, /^sl_/)
  const shown = await sluice('flow', 'show', 'handbook')
  assert.match(shown.stdout, /^access +by the key handbook$/m)
  assert.match(shown.stdout, /^chunkSize +300 +on +Sluice Text Splitter$/m)
  assert.match(shown.stdout, /^uploads +on$/m)
  assert.match(shown.stdout, /^holds +0 sources, 0 chunks$/m)
  assert.ok(!shown.stdout.includes('searchType'))
  assert.match((await sluice('flow', 'show', 'handbook', '--all')).stdout, /^searchType +similarity/m)
  const asked = await runSluice(['query', 'handbook', 'x', '--url', platform.url])
  assert.equal(asked.code, 1)
  assert.match(asked.stderr, /Unauthorized.*\n.*--key or in SLUICE_KEY.*key new me --scope manage/)
  assert.equal((await runSluice(['query', 'handbook', 'x', '--url', platform.url, '--key', key])).code, 0)
})

test('sluice flow new keeps no flow where a setting is refused, and names what is nearest', async () => {
  const before = (await json<unknown[]>('flow', 'list')).length
  const bad = await sluice('flow', 'new', 'Bad', 'chunksize=5')
  assert.deepEqual(
    [bad.code, bad.stderr],
    [1, 'sluice: The flow bad has no setting chunksize\ndid you mean chunkSize?\n'],
  )
  const none = await sluice('flow', 'new', 'Bad', '--template', 'websit')
  assert.match(
    none.stderr,
    /there are quickstart, pdf-knowledge-base, website, .*\ndid you mean website\?\n$/,
  )
  assert.equal((await sluice('flow', 'new', 'Bad', 'nothing')).code, 2)
  assert.equal((await json<unknown[]>('flow', 'list')).length, before)
  assert.match((await sluice('flow', 'show', 'quickstat')).stderr, /did you mean quickstart\?/)
  assert.match((await sluice('query', 'quickstat', 'x')).stderr, /did you mean quickstart\?/)
})

test('sluice flow templates lists them; a template that needs an input describes how to set it', async () => {
  assert.match((await sluice('flow', 'templates')).stdout, /^website +Reads a web site .* url=…$/m)
  const made = await sluice('flow', 'new', 'Site', '--template', 'website')
  assert.match(made.stderr, /It needs: .*flow set site url=…/)
  assert.match(made.stderr, /credential new openAIApi/)
})

test('sluice flow set prints what changed, and when nothing did', async () => {
  await sluice('flow', 'new', 'Changing')
  const changed = await sluice('flow', 'set', 'changing', 'weight=0.6', 'rateLimit=30/m', 'override.topK=off')
  assert.match(changed.stdout, /^weight +Built-in Vector Store +- +0\.6$/m)
  assert.match(changed.stdout, /^rateLimit +off +30\/60s$/m)
  assert.match(changed.stdout, /^override\.topK +Built-in Vector Store +on +off$/m)
  assert.match((await sluice('flow', 'set', 'changing', 'weight=0.6')).stderr, /Nothing changed/)
  assert.match((await sluice('flow', 'set', 'changing')).stderr, /<key=value> is missing/)
})

test('sluice flow clone copies a flow with its key and without its documents', async () => {
  await sluice('flow', 'new', 'Origin', 'chunkSize=700')
  await sluice('key', 'new', 'origin', '--bind', 'origin')
  const cloned = await sluice('flow', 'clone', 'origin', 'Second', 'chunkOverlap=70')
  assert.deepEqual([cloned.code, cloned.stdout], [0, 'second\n'], cloned.stderr)
  assert.match(cloned.stderr, /needs the same API key, origin/)
  const { stdout } = await sluice('flow', 'show', 'second')
  assert.match(stdout, /^chunkSize +700 /m)
  assert.match(stdout, /^chunkOverlap +70 /m)
})

test('sluice flow rm lists what is deleted with it and asks on a terminal', async (t) => {
  const directory = temporaryDirectory(t)
  writeFileSync(path.join(directory, 'a.txt'), 'Some words.')
  await sluice('flow', 'new', 'Going')
  await sluice('upsert', 'going', directory)
  const kept = await typed('n\n', 'flow', 'rm', 'going')
  assert.equal(kept.code, 1)
  assert.match(
    kept.stderr,
    /Remove the flow going with 1 source \(1 chunk\), its jobs, history and messages\? \[y\/N\]/,
  )
  assert.equal((await sluice('flow', 'show', 'going')).code, 0)
  assert.equal((await typed('y\n', 'flow', 'rm', 'going')).code, 0)
  assert.equal((await sluice('flow', 'show', 'going')).code, 1)
})

test('sluice flow restore brings a removed flow back, and rm --now removes it for good [flows:undo]', async (t) => {
  const directory = temporaryDirectory(t)
  writeFileSync(path.join(directory, 'a.txt'), 'Some words.')
  await sluice('flow', 'new', 'Coming back')
  await sluice('upsert', 'coming-back', directory)
  const removed = await sluice('flow', 'rm', 'coming-back')
  assert.match(removed.stderr, /Within thirty days, sluice flow restore coming-back brings it back/)
  assert.match((await sluice('flow', 'deleted')).stdout, /coming-back +Coming back .* 1 /)
  assert.equal((await sluice('flow', 'restore', 'coming-back', '--slug', 'here-again')).code, 0)
  assert.match((await sluice('query', 'here-again', 'words')).stdout, /Some words/)
  await sluice('flow', 'rm', 'here-again')
  const cleared = await sluice('flow', 'rm', 'here-again', '--now')
  assert.match(cleared.stderr, /here-again is removed for good/)
  assert.equal((await sluice('flow', 'restore', 'here-again')).code, 1)
})

test('sluice credential new asks on a terminal and shows no secret', async () => {
  const { code, stdout, stderr, raw } = await typed(
    'ops\nhidden-word\r',
    'credential',
    'new',
    'httpBasicAuth',
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^[0-9a-f-]{36}\n$/)
  assert.match(stderr, /User name: Password: /)
  assert.ok(!stderr.includes('hidden-word') && !stdout.includes('hidden-word'))
  assert.deepEqual(raw, [true, false])
})

test('sluice credential new reads standard input as JSON, lines or one value, and never arguments', async () => {
  for (const [name, text] of [
    ['json', '{"openAIApiKey": "sk-1"}'],
    ['lines', 'openAIApiKey=sk-2\n'],
    ['bare', 'sk-3=\n'],
  ] as const)
    assert.equal((await given(text, 'credential', 'new', 'openAIApi', '--name', name)).code, 0, name)
  const listed = await json<{ name: string; credentialName: string }[]>('credential', 'list')
  assert.deepEqual(
    listed.filter(({ credentialName }) => credentialName === 'openAIApi').map(({ name }) => name),
    ['json', 'lines', 'bare'],
  )
  const refused = async (text: string, ...argv: string[]) => {
    const { code, stderr } = await given(text, 'credential', 'new', ...argv)
    assert.ok(!stderr.includes('sk-secret'), stderr)
    return `${code} ${stderr}`
  }
  assert.match(
    await refused('openAIApikey=sk-secret', 'openAIApi'),
    /^1 .*no field openAIApikey\ndid you mean openAIApiKey\?/,
  )
  assert.match(await refused('', 'openAIApi'), /The field openAIApiKey of the credential is missing/)
  assert.match(
    await refused('basicAuthUsername=a', 'httpBasicAuth'),
    /basicAuthPassword of the credential is missing/,
  )
  assert.match(await refused('x', 'openAIapi'), /did you mean openAIApi\?/)
  assert.match(await refused('', 'openAIApi', 'sk-secret'), /^2 .*not taken from arguments/)
})

test('sluice flow set binds a credential by name, refuses one of a wrong kind, and credential rm lists the flows that use it', async () => {
  await sluice('flow', 'new', 'Answers', '--template', 'pdf-knowledge-base')
  await given('sk-4', 'credential', 'new', 'openAIApi', '--name', 'good')
  await given('sk-5', 'credential', 'new', 'cohereApi', '--name', 'wrong')
  const wrong = await sluice('flow', 'set', 'answers', 'credential=wrong')
  assert.match(wrong.stderr, /takes a credential of the kind openAIApi, and wrong is of the kind cohereApi/)
  assert.match(
    (await sluice('flow', 'set', 'answers', 'credential=good')).stdout,
    /^credential +ChatOpenAI +- +good$/m,
  )
  assert.match((await sluice('flow', 'set', 'answers', 'credential=goof')).stderr, /did you mean good\?/)
  const removed = await sluice('credential', 'rm', 'good')
  assert.match(removed.stderr, /The credential good \(used by answers\) is removed/)
  assert.match((await sluice('credential', 'rm', 'wrogn')).stderr, /did you mean wrong\?/)
})

test('sluice flow export and import carry overrides, uploads and limits, unless --no-keep-settings', async (t) => {
  const file = path.join(temporaryDirectory(t), 'any name.json')
  await sluice('flow', 'new', 'Carried', 'rateLimit=9/m', 'override.chunkSize=off')
  assert.equal((await sluice('flow', 'export', 'carried', '--output', file)).code, 0)
  const kept = await sluice('flow', 'import', file)
  assert.deepEqual([kept.code, kept.stdout], [0, 'carried-2\n'], kept.stderr)
  assert.match(
    kept.stderr,
    /Settings that were kept\n {2}Uploads: on\n {2}Requests may override: .*chunkOverlap.*\n {2}Rate limit: 9\/60s/,
  )
  assert.match((await sluice('flow', 'show', 'carried-2')).stdout, /^rate limit +9\/60s$/m)
  const bare = await sluice('flow', 'import', file, '--no-keep-settings')
  assert.match(bare.stderr, /Settings that were left out/)
  assert.match((await sluice('flow', 'show', 'carried-3')).stdout, /^rate limit +off$/m)
})

type Synced = {
  numAdded: number
  sync: Record<'added' | 'updated' | 'unchanged' | 'removed', string[]> & { numRemoved: number }
}

test('sluice upsert --sync keeps a flow like a folder, and touches nothing else [source:sync]', async (t) => {
  const root = temporaryDirectory(t)
  const folder = path.join(root, 'docs')
  mkdirSync(folder)
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  await sluice('flow', 'new', 'Synced')
  await platform.upload('synced', { 'other.txt': 'Words from elsewhere.', 'docs.txt': 'Not of the folder.' })
  write('a.txt', 'The first text of the folder.')
  write('b.txt', 'The second text of the folder.')
  const sync = (...more: string[]) => json<Synced>('upsert', 'synced', folder, '--sync', ...more)
  const sources = async () =>
    (await json<{ source: string }[]>('source', 'list', 'synced')).map(({ source }) => source)

  assert.deepEqual((await sync()).sync.added, ['docs/a.txt', 'docs/b.txt'])
  assert.deepEqual((await sync()).sync.unchanged, ['docs/a.txt', 'docs/b.txt'])

  rmSync(path.join(folder, 'a.txt'))
  write('b.txt', 'The second text of the folder, changed.')
  write('c.txt', 'A third text.')
  const changes = { added: ['docs/c.txt'], updated: ['docs/b.txt'], unchanged: [], removed: ['docs/a.txt'] }
  assert.partialDeepStrictEqual((await sync('--dry-run')).sync, changes)
  assert.deepEqual(await sources(), ['docs.txt', 'docs/a.txt', 'docs/b.txt', 'other.txt'])
  const shown = await sluice('upsert', 'synced', folder, '--sync', '--dry-run')
  assert.match(shown.stdout, /^removed {2}docs\/a\.txt$/m)
  assert.partialDeepStrictEqual((await sync()).sync, { ...changes, numRemoved: 1 })
  assert.deepEqual(await sources(), ['docs.txt', 'docs/b.txt', 'docs/c.txt', 'other.txt'])

  // Where a file fails nothing is removed: it may be one that was renamed.
  renameSync(path.join(folder, 'c.txt'), path.join(folder, 'd.txt'))
  write('broken.pdf', 'this is no PDF')
  const failed = await sluice('upsert', 'synced', folder, '--sync')
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, /1 file failed: docs\/broken\.pdf\nno source was removed/)
  assert.ok((await sources()).includes('docs/c.txt'))
})

test('sluice upsert --sync does not embed a renamed file again', async (t) => {
  const folder = path.join(temporaryDirectory(t), 'docs')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'old.txt'), numbered(100, 'Text of a number keeps its vector.'))
  await sluice('flow', 'new', 'Renaming')
  await json('upsert', 'renaming', folder, '--sync')
  renameSync(path.join(folder, 'old.txt'), path.join(folder, 'new.txt'))
  const { sync, numAdded } = await json<Synced>('upsert', 'renaming', folder, '--sync')
  assert.deepEqual([sync.added, sync.removed], [['docs/new.txt'], ['docs/old.txt']])
  assert.ok(numAdded > 1)
  type Job = { chunks: { embedded: number; seen: number } }
  const [last] = await json<Job[]>('job', 'list', '--limit', '1')
  assert.deepEqual([last!.chunks.embedded, last!.chunks.seen], [0, numAdded])
})

test('sluice upsert --sync empties nothing by an oversight', async (t) => {
  const folder = path.join(temporaryDirectory(t), 'docs')
  mkdirSync(folder)
  const file = path.join(folder, 'a.txt')
  writeFileSync(file, 'Words.')
  await sluice('flow', 'new', 'Emptying')
  await sluice('upsert', 'emptying', folder, '--sync')
  rmSync(file)
  const refused = await sluice('upsert', 'emptying', folder, '--sync')
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /There is no file in .*docs: the sync would remove all 1 source that came from it\n.*--yes/,
  )
  const asked = await typed('n\n', 'upsert', 'emptying', folder, '--sync')
  assert.equal(asked.code, 1)
  const { sync } = await json<Synced>('upsert', 'emptying', folder, '--sync', '--yes')
  assert.deepEqual(sync.removed, ['docs/a.txt'])
  assert.equal((await sluice('upsert', 'emptying', file, '--sync')).code, 1)
  assert.equal((await sluice('upsert', 'emptying', folder, '--as', 'x')).code, 2)
  assert.match(
    (await sluice('upsert', 'emptying', path.join(folder, 'none'), '--sync')).stderr,
    /There is no directory/,
  )
})

test('sluice source show prints the chunks of a source in order, rm removes sources', async (t) => {
  const folder = temporaryDirectory(t)
  writeFileSync(path.join(folder, 'a.txt'), `${numbered(40, 'One sentence of many words.')}The end.`)
  writeFileSync(path.join(folder, 'b.txt'), 'Short.')
  await sluice('flow', 'new', 'Looked at', 'chunkSize=400', 'chunkOverlap=0')
  await sluice('upsert', 'looked-at', folder)
  const { stdout } = await sluice('source', 'show', 'looked-at', 'a.txt')
  assert.match(stdout, /^1\. {2}line 1 {2}[0-9a-f-]{36}\nOne sentence/)
  assert.match(stdout, /The end\.\n$/)
  const lines = (await sluice('source', 'show', 'looked-at', 'a.txt', '--json')).stdout.trim().split('\n')
  assert.ok(lines.length >= 3)
  assert.match((await sluice('source', 'show', 'looked-at', 'a.text')).stderr, /did you mean a\.txt\?/)
  assert.equal((await typed('\n', 'source', 'rm', 'looked-at', 'a.txt')).code, 1)
  assert.match(
    (await sluice('source', 'rm', 'looked-at', 'a.txt', 'b.txt')).stderr,
    /^2 sources removed, \d chunks\.\n$/,
  )
  assert.match((await sluice('source', 'list', 'looked-at')).stderr, /has no sources/)
})

test('sluice source show --trace tells where the words of a document went, also with --json [cli:source:trace]', async (t) => {
  const folder = temporaryDirectory(t)
  writeFileSync(path.join(folder, 'a.txt'), numbered(40, 'One sentence of many words.'))
  await sluice('flow', 'new', 'Traced words', 'chunkSize=400', 'chunkOverlap=100')
  await sluice('upsert', 'traced-words', folder)
  const { stdout } = await sluice('source', 'show', 'traced-words', 'a.txt', '--trace')
  assert.match(stdout, /^a\.txt {2}\d+ chunks, [\d,]+ code units of text\n/)
  assert.match(stdout, /in one chunk +[\d,]+ characters +[\d.]+ %/)
  assert.match(stdout, /in none +0 characters +0 %/)
  assert.match(stdout, /\[[-= ]+\] {2}- one chunk/)
  assert.match(stdout, /Found by questions of conversations\n {2}none of 0 answers/)
  const json = JSON.parse(
    (await sluice('source', 'show', 'traced-words', 'a.txt', '--trace', '--json')).stdout,
  )
  assert.deepEqual(
    [json.source, json.known, json.characters.none, json.questions.answers],
    ['a.txt', true, 0, 0],
  )
})

test('sluice source show tells what was left out of a document, also with --json [cli:source:dropped]', async (t) => {
  const folder = temporaryDirectory(t)
  const sheets = { Shown: data(row(inline('sage'))), Budget: { content: '', state: 'hidden' } }
  writeFileSync(path.join(folder, 'herbs.xlsx'), workbook(sheets))
  await sluice('flow', 'new', 'Herbs')
  await sluice('upsert', 'herbs', folder)
  const { stdout } = await sluice('source', 'show', 'herbs', 'herbs.xlsx')
  assert.match(stdout, /\n\nLeft out\nsheet Budget is hidden\n$/)
  const lines = (await sluice('source', 'show', 'herbs', 'herbs.xlsx', '--json')).stdout.trim().split('\n')
  assert.deepEqual(JSON.parse(lines.at(-1)!), {
    dropped: {
      ...{ kind: 'hiddenSheet', count: 1, text: 'sheet Budget is hidden' },
      ...{ more: false, place: { sheet: 'Budget' }, position: null },
    },
  })
  assert.equal(lines.length, 2)
})

const refuse: Answer = (_request, response) =>
  void response.writeHead(401, { 'content-type': 'application/json' }).end('{"message": "Unauthorized"}')

test('sluice credential test prints what the provider answers, and fails where it refuses', async () => {
  await given('hidden-token-of-the-test', 'credential', 'new', 'httpBearerToken', '--name', 'token')
  const api = await website({ '/healthz': 'fine', '/closed': refuse })
  const good = await sluice('credential', 'test', 'token', '--address', `${api.url}/healthz`)
  assert.deepEqual([good.code, good.stderr], [0, ''])
  assert.match(good.stdout, /^token: It answered 200 \(http:.*\/healthz, \d+ ms\)$/m)
  const refused = await sluice('credential', 'test', 'token', '--address', `${api.url}/closed`)
  assert.equal(refused.code, 1)
  assert.match(refused.stdout, /^token: It answered 401: .*Unauthorized/)
  const without = await sluice('credential', 'test', 'token')
  assert.equal(without.code, 1)
  assert.match(without.stderr, /no address of its own/)
})
