import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import {
  type Language,
  LANGUAGES,
  REQUEST_KINDS,
  type RequestKind,
  type SampleRequest,
} from '../../studio/screens/flow/show-api/sample-request.ts'
import { sampleOf } from '../../studio/screens/flow/show-api/samples.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makeExampleFlows } from '../support/example-flows.ts'
import { makePlatform } from '../support/platform.ts'

/* The samples of Show API, executed as processes against the real server. */

const run = promisify(execFile)
const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())
model.otherwise = { text: 'Four weeks.' }
await makeExampleFlows(platform, model.url)

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-samples-'))
after(() => rmSync(folder, { recursive: true, force: true }))
/** A name that a shell, curl, Python and a form must each escape. */
const ODD = `it's "odd"; a, b.txt`
writeFileSync(path.join(folder, 'plain.txt'), 'The notice period is four weeks.')
writeFileSync(path.join(folder, ODD), 'Holidays are 25 days a year. '.repeat(20))

/** A flow without uploads: it takes JSON. Its text can be overridden. */
const texts = {
  name: 'Texts',
  slug: 'texts',
  flowData: {
    nodes: [
      node('plainText_0', 'plainText', { text: 'Otters swim.' }),
      node('builtInEmbeddings_0', 'builtInEmbeddings', {}),
      node('builtInVectorStore_0', 'builtInVectorStore', {
        document: ['{{plainText_0.data.instance}}'],
        embeddings: '{{builtInEmbeddings_0.data.instance}}',
      }),
    ],
    edges: [],
  },
  apiConfig: { overrideConfig: { status: true, nodes: { '*': [{ name: 'text', enabled: true }] } } },
}
function node(id: string, name: string, inputs: object) {
  return { id, data: { id, name, label: name, inputs } }
}
await platform.manage('POST', '/api/v1/chatflows', texts)
const key = (
  await platform.manage<{ apiKey: string }>('POST', '/api/v1/apikey', {
    keyName: 'of the samples',
    bind: ['quickstart', 'texts', 'assistant'],
  })
).body.apiKey

const missing = (program: string): string | undefined => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return `${program} is not installed`
  }
}
const PROGRAMS: Record<Language, string> = { curl: 'curl', python: 'python3', javascript: process.execPath }

async function execute(language: Language, request: SampleRequest, environment = { SLUICE_KEY: key }) {
  const text = sampleOf(language, request, new Set(['sluiceTextSplitter_0']))
  const options = { cwd: folder, env: { ...environment, PATH: process.env.PATH } }
  if (language === 'curl') return (await run('bash', ['-c', text], options)).stdout
  const file = path.join(folder, language === 'python' ? 'sample.py' : 'sample.mjs')
  writeFileSync(file, text)
  return (await run(PROGRAMS[language], [file], options)).stdout
}

const requestOf = (kind: RequestKind, more: Partial<SampleRequest>): SampleRequest => ({
  kind,
  origin: platform.url,
  flow: 'quickstart',
  needsKey: true,
  question: `What's the "notice period"? $HOME \`id\` \\ ü 😀`,
  files: [],
  stopNodeId: undefined,
  overrides: {},
  ...more,
})

type Check = { more: Partial<SampleRequest>; check(output: string): void }
type Counts = { numAdded: number; files: { name: string; chunks: number }[]; warnings?: object[] }
const CHECKS: Record<RequestKind, Check> = {
  'upsert-files': {
    more: {
      files: ['plain.txt', ODD],
      overrides: {
        chunkSize: { sluiceTextSplitter_0: 100 },
        chunkOverlap: 0,
        metadata: { team: `it's`, open: true, none: null, list: [1, 2.5] },
      },
    },
    check(output) {
      const { files, warnings } = JSON.parse(output) as Counts
      assert.deepEqual(
        files.map(({ name }) => name.replace(/%22|\\"/g, '"')).toSorted(),
        [ODD, 'plain.txt'].toSorted(),
      )
      // 580 characters in chunks of at most 100: the override took effect.
      assert.ok(files.find(({ name }) => name !== 'plain.txt')!.chunks > 5, output)
      assert.deepEqual(warnings ?? [], [])
    },
  },
  'upsert-json': {
    more: { flow: 'texts', overrides: { text: `Otters' "paws" ü 😀` } },
    check(output) {
      const { files, warnings } = JSON.parse(output) as Counts
      assert.deepEqual([files.length, warnings ?? []], [1, []])
    },
  },
  query: {
    more: { flow: 'texts', question: 'otters', overrides: {} },
    check: (output) =>
      assert.match(
        (JSON.parse(output) as { docs: { pageContent: string }[] }).docs[0]!.pageContent,
        /Otters/,
      ),
  },
  ask: {
    more: { flow: 'assistant' },
    check: (output) => assert.equal((JSON.parse(output) as { text: string }).text, 'Four weeks.'),
  },
  'ask-streamed': {
    more: { flow: 'assistant' },
    check: (output) => assert.match(output, /Four\s*weeks\.|"event":"token"/),
  },
}

for (const language of LANGUAGES) {
  const skip = missing(PROGRAMS[language])
  for (const kind of REQUEST_KINDS)
    test(`the sample runs as it is shown: ${kind}, ${language} [studio:samples]`, { skip }, async () => {
      const { more, check } = CHECKS[kind]
      check(await execute(language, requestOf(kind, more)))
    })

  test(`the sample prints why the server refuses: ${language} [studio:samples]`, { skip }, async () => {
    const { more } = CHECKS.query
    const refused = execute(language, requestOf('query', more), { SLUICE_KEY: 'sk-wrong' })
    if (language === 'curl') assert.match(await refused, /Unauthorized/)
    else await assert.rejects(refused, (error: { stderr: string }) => /Unauthorized/.test(error.stderr))
  })
}
