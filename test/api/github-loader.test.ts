import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { ParsedBatch } from '../../src/contract/file-parser.ts'
import { createFileParser } from '../../src/formats/pool.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { FILE_TYPES } from '../../src/contract/file-parser.ts'
import { ANY_ENDINGS } from '../../src/formats/file-types.ts'
import { repositoryItems } from '../../src/sources/github/files.ts'
import { readRepoLink } from '../../src/sources/github/repository.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { builtPart } from '../support/built-part.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { typed, website } from '../support/website.ts'

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-github-')))
const parser = createFileParser({ readable: [scratch], size: 1 })
after(async () => {
  await parser.close()
  rmSync(scratch, { recursive: true, force: true })
})

const blob = (place: string, sha: string, more: JsonObject = {}) => ({
  ...{ path: place, type: 'blob', mode: '100644', sha },
  ...more,
})

/** What GitHub answers for a branch. The names of its files are those of a repository of documents. */
const TREE = {
  sha: 'f00d',
  tree: [
    blob('README.md', 'a1'),
    { path: 'docs', type: 'tree', mode: '040000', sha: 'd1' },
    blob('docs/heron.md', 'a2'),
    blob('docs/logo.png', 'a3'),
    blob('docs/deep/ibis notes.md', 'a4'),
    blob('package.lock', 'a5'),
    blob('link.md', 'a6', { mode: '120000' }),
    { path: 'module', type: 'commit', mode: '160000', sha: 'c1' },
  ],
  truncated: false,
}
const TEXTS: Record<string, string> = {
  a1: '# Birds\n',
  a2: 'The heron stands.\n',
  a4: 'The ibis walks.\n',
  a5: 'lock\n',
}
const BOOK = '/api/v3/repos/birds/book/git'
const tokens: (string | undefined)[] = []
let limited = false
const server = await website({
  [`${BOOK}/trees/main?recursive=1`]: (request, response) => {
    tokens.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(TREE))
  },
  [`${BOOK}/trees/large?recursive=1`]: typed(
    'application/json',
    JSON.stringify({ ...TREE, truncated: true }),
  ),
  [`${BOOK}/trees/spent?recursive=1`]: (_request, response) =>
    void response
      .writeHead(403, { 'content-type': 'application/json', 'x-ratelimit-remaining': '0' })
      .end('{"message": "API rate limit exceeded"}'),
  ...Object.fromEntries(
    Object.entries(TEXTS).map(
      ([sha, text]) =>
        [
          `${BOOK}/blobs/${sha}`,
          (request, response) => {
            if (limited) return void response.writeHead(404).end('{"message": "Not Found"}')
            assert.equal(request.headers.accept, 'application/vnd.github.raw+json')
            response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text)
          },
        ] satisfies [string, Parameters<typeof website>[0][string]],
    ),
  ),
})

/** The settings of a repository that everybody may read. */
const open = {
  ...{ recursive: true, ignored: [], retries: 0, scratch, token: async () => undefined },
  reading: { types: FILE_TYPES, accepts: ANY_ENDINGS, options: {}, parser },
  egress: createEgress({ rules: createEgressRules({ allow: LOOPBACK }) }),
}

async function load(inputs: JsonObject, services = {}) {
  const loader = builtPart(
    'loader',
    'github',
    { repoLink: `${server.url}/birds/book`, maxRetries: 0, ...inputs },
    { parser, scratch, ...services },
  )
  const found: { name: string; text?: string; notes?: string[]; failed?: string; discoversOthers?: true }[] =
    []
  const signal = new AbortController().signal
  for await (const { name, read, discoversOthers } of loader.items!(signal)) {
    const batches: ParsedBatch[] = []
    try {
      for await (const batch of read(signal)) batches.push(batch)
      const parts = batches.flatMap((batch) => batch.parts)
      for (const { metadata } of parts)
        assert.partialDeepStrictEqual(metadata, {
          source: name,
          repository: `${server.url}/birds/book`,
          branch: inputs.branch ?? 'main',
        })
      const text = parts.map(({ pageContent }) => pageContent).join('')
      const notes = batches.flatMap((batch) => batch.notes)
      found.push({ name, ...(text === '' ? {} : { text }), ...(notes.length > 0 ? { notes } : {}) })
    } catch (error) {
      found.push({ name, failed: (error as Error).message, ...(discoversOthers ? { discoversOthers } : {}) })
    }
  }
  return found
}
const namesOf = async (inputs: JsonObject) =>
  (await load(inputs)).flatMap(({ name, notes }) => (notes ? [] : [name]))

test('github reads the files of a branch in their order, and says what it leaves out', async () => {
  const found = await load({ recursive: true })
  assert.deepEqual(
    found.map(({ name, text = '' }) => [name, text.trim()]),
    [
      ['README.md', '# Birds'],
      ['docs/heron.md', 'The heron stands.'],
      ['docs/deep/ibis notes.md', 'The ibis walks.'],
      ['package.lock', 'lock'],
      [`${server.url}/birds/book`, ''],
    ],
  )
  assert.match(found.at(-1)!.notes![0]!, /^1 files without a text are left out/)
})

test('github reads one folder, one level, and not what is ignored', async () => {
  assert.deepEqual(await namesOf({}), ['README.md', 'package.lock'])
  const docs = { repoLink: `${server.url}/birds/book/tree/main/docs` }
  assert.deepEqual(await namesOf(docs), ['docs/heron.md'])
  assert.deepEqual(await namesOf({ ...docs, recursive: true }), ['docs/heron.md', 'docs/deep/ibis notes.md'])
  assert.deepEqual(await namesOf({ recursive: true, ignorePath: '["docs/deep", "*.lock"]' }), [
    'README.md',
    'docs/heron.md',
  ])
  assert.deepEqual(await namesOf({ recursive: true, ignorePath: 'deep, /README.md' }), [
    'docs/heron.md',
    'package.lock',
  ])
})

test('a file of the last load is not fetched again: its fingerprint changes with its bytes, the branch and the readers', async () => {
  const fingerprints = async (branch: string, ocr: string, tree: JsonObject[]) => {
    const listed = await website({
      [`${BOOK}/trees/${branch}?recursive=1`]: typed('application/json', JSON.stringify({ tree })),
    })
    const found: (string | undefined)[] = []
    const repository = { ...readRepoLink(`${server.url}/birds/book`, branch), api: `${listed.url}/api/v3` }
    const reading = { types: [], accepts: [], options: {}, parser: { ...parser, variant: async () => ocr } }
    for await (const item of repositoryItems({ ...open, repository, reading }, AbortSignal.timeout(10_000)))
      found.push(item.fingerprint)
    return found
  }
  const [first] = await fingerprints('main', 'eng', [blob('a.md', 'a1')])
  assert.ok(first)
  assert.deepEqual(await fingerprints('main', 'eng', [blob('b.md', 'a2'), blob('a.md', 'a1')]), [
    (await fingerprints('main', 'eng', [blob('b.md', 'a2')]))[0],
    first,
  ])
  for (const [branch, ocr, sha] of [
    ['next', 'eng', 'a1'],
    ['main', 'deu', 'a1'],
    ['main', 'eng', 'a2'],
  ] as const)
    assert.notEqual((await fingerprints(branch, ocr, [blob('a.md', sha)]))[0], first)
})

test('a file that everybody may read is asked of the API where the open server still has an earlier one', async () => {
  const sha = createHash('sha1').update('blob 18\0The heron stands.\n').digest('hex')
  const asked: string[] = []
  const answers = { open: 'The heron sleeps.\n', api: 'The heron stands.\n' }
  const site = await website({
    [`${BOOK}/trees/main?recursive=1`]: typed(
      'application/json',
      JSON.stringify({ tree: [blob('a.md', sha)] }),
    ),
    '/open/a.md': (_request, response) => {
      asked.push('open')
      response.end(answers.open)
    },
    [`${BOOK}/blobs/${sha}`]: (_request, response) => {
      asked.push('api')
      response.end(answers.api)
    },
  })
  const textOf = async () => {
    asked.length = 0
    const signal = AbortSignal.timeout(10_000)
    const link = readRepoLink(`${site.url}/birds/book`, 'main')
    const texts: string[] = []
    for await (const item of repositoryItems(
      { ...open, repository: { ...link, files: `${site.url}/open` } },
      signal,
    ))
      for await (const { parts } of item.read(signal))
        texts.push(...parts.map(({ pageContent }) => pageContent))
    return texts.join('').trim()
  }
  assert.equal(await textOf(), 'The heron stands.')
  assert.deepEqual(asked, ['open', 'api'])
  answers.open = answers.api
  assert.equal(await textOf(), 'The heron stands.')
  assert.deepEqual(asked, ['open'])
})

test('github sends the token of its credential', async () => {
  tokens.length = 0
  await load({ credential: 'c' }, { credential: async () => ({ accessToken: 'ghp_of-the-test' }) })
  assert.deepEqual(tokens, ['Bearer ghp_of-the-test'])
})

test('github names a branch that is not there, a limit that is spent, and a list that is not whole', async () => {
  const [missing] = await load({ branch: 'none' })
  assert.match(missing!.failed!, /the server answers 404/)
  assert.equal(missing!.discoversOthers, true)
  const [spent] = await load({ branch: 'spent' })
  assert.match(spent!.failed!, /the server answers 403: API rate limit exceeded/)
  const large = await load({ branch: 'large', recursive: true })
  assert.match(large.at(-1)?.failed ?? '', /more files than GitHub lists/)
})

test('github goes on with the next file where one cannot be fetched', async () => {
  limited = true
  const found = await load({})
  limited = false
  assert.deepEqual(
    found.map(({ name, failed }) => [name, /answers 404: Not Found/.test(failed ?? '')]),
    [
      ['README.md', true],
      ['package.lock', true],
    ],
  )
})

test('readRepoLink() reads addresses of repositories and folders', () => {
  assert.deepEqual(readRepoLink('https://github.com/FlowiseAI/FlowiseDocs', 'main'), {
    page: 'https://github.com/FlowiseAI/FlowiseDocs',
    owner: 'FlowiseAI',
    name: 'FlowiseDocs',
    branch: 'main',
    folder: '',
    api: 'https://api.github.com',
    files: 'https://raw.githubusercontent.com/FlowiseAI/FlowiseDocs/main',
  })
  const folderOf = (link: string, branch: string) => readRepoLink(link, branch).folder
  assert.equal(folderOf('https://github.com/a/b.git', 'main'), '')
  assert.equal(folderOf('https://github.com/a/b/tree/main', 'main'), '')
  assert.equal(folderOf('https://github.com/a/b/tree/fix/one/docs/x', 'fix/one'), 'docs/x')
  assert.equal(folderOf('https://github.com/a/b/tree/main/docs/', 'other'), 'docs')
  for (const link of [
    'https://github.com/a',
    'https://github.com/a/b/issues/1',
    'a/b',
    'https://u:p@github.com/a/b',
  ])
    assert.throws(() => readRepoLink(link, 'main'), { input: 'repoLink' })
})
