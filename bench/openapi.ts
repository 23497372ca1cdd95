import path from 'node:path'
import { getEncoding } from 'js-tiktoken'
import { createCodeRunner } from '../src/openapi/sandbox/run-code.ts'
import { readApi } from '../src/openapi/read/operations.ts'
import { estimateToolTokens } from '../src/openapi/cost.ts'
import { corpusApis } from '../test/support/openapi/corpus.ts'
import { type Tally, tallyApi } from '../test/support/openapi/tally.ts'
import { median, printTable, quantile } from './support/table.ts'

/*
 * How many operations of real descriptions become tools, and do the calls that a model may make of them fit the
 * descriptions? For each operation one call with everything required and one with everything there is are made
 * from the tool's schema, read back from the request, and judged by ajv against the description as it was written.
 * Also: how long reading takes, how well tokens are estimated, and what the sandbox of custom code costs.
 */

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) console.log('descriptions: not run, SLUICE_CORPUS is not set')
  else await descriptions(path.join(corpus, 'openapi'))
  await sandbox()
}

async function descriptions(folder: string): Promise<void> {
  const { apis } = corpusApis(folder)
  const tallies: Tally[] = []
  for (const api of apis) tallies.push(await tallyApi(api))
  const versions = [...new Set(tallies.map(({ version }) => version))].sort()
  const rows = [...versions, 'all'].map((version) => {
    const these = tallies.filter((one) => version === 'all' || one.version === version)
    const sum = (count: (tally: Tally) => number) => these.reduce((total, one) => total + count(one), 0)
    const operations = sum((one) => one.operations)
    const tools = operations - sum((one) => one.refused.length)
    const share = (wrong: number) => `${(((tools - wrong) / Math.max(1, tools)) * 100).toFixed(1)} %`
    return [
      version,
      String(these.length),
      String(operations),
      `${tools} (${((tools / Math.max(1, operations)) * 100).toFixed(1)} %)`,
      share(sum((one) => one.wrong.required.length)),
      share(sum((one) => one.wrong.full.length)),
      String(sum((one) => one.absent)),
    ]
  })
  const heads = [
    'version',
    'files',
    'operations',
    'tools',
    'valid, required',
    'valid, everything',
    'not in the corpus',
  ]
  printTable([heads, ...rows])
  const problems = tallies.flatMap(({ refused, wrong }) => [...refused, ...wrong.required, ...wrong.full])
  console.log(`\nwhat is not right:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  const slowest = tallies.reduce((one, other) => (other.readMs > one.readMs ? other : one))
  console.log(
    `\nread in ${tallies.reduce((sum, { readMs }) => sum + readMs, 0).toFixed(0)} ms; longest ${slowest.readMs.toFixed(0)} ms, ${slowest.file}`,
  )
  tokenEstimate(apis)
}

function tokenEstimate(apis: ReturnType<typeof corpusApis>['apis']): void {
  const encoding = getEncoding('o200k_base')
  let estimated = 0
  let counted = 0
  for (const { texts, link } of apis.slice(0, 30)) {
    for (const { name, description, input } of readApi(texts, { link }).operations.slice(0, 20)) {
      estimated += estimateToolTokens({ name, description, parameters: input })
      counted += [name, description, JSON.stringify(input)].reduce(
        (sum, text) => sum + encoding.encode(text).length,
        0,
      )
    }
  }
  console.log(`tokens estimated: ${((estimated / counted) * 100).toFixed(0)} % of what o200k_base counts`)
}

async function sandbox(): Promise<void> {
  const runner = createCodeRunner()
  const { signal } = new AbortController()
  const answer = { status: 200, statusText: 'OK', url: '', headers: [], text: '[{"id":1}]' }
  const code = 'const a = await fetch($url); return (await a.json())[0].id'
  const once = async () => {
    const startedAt = performance.now()
    await runner.run({
      code,
      values: { $url: 'http://api.example/' },
      fetch: async () => ({ ...answer, headers: [] }),
      signal,
    })
    return performance.now() - startedAt
  }
  const first = await once()
  const warm: number[] = []
  for (let round = 0; round < 200; round++) warm.push(await once())
  let longest = 0
  let last = performance.now()
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  const limits = { cpuMs: 1000 }
  const hostile = [
    'while (true) {}',
    'const a = []; while (true) a.push(new Array(1e5).fill(a.length))',
    'let s = "x"; while (true) s += s',
  ]
  await Promise.allSettled(
    hostile.map((code) =>
      runner.run({ code, values: {}, fetch: async () => answer as never, signal, limits }),
    ),
  )
  clearInterval(beat)
  await runner.close()
  console.log(
    `custom code: first ${first.toFixed(0)} ms, then p50 ${median(warm).toFixed(1)} ms, p99 ${quantile(warm, 0.99).toFixed(1)} ms; with three hostile ones at work the event loop is late by ${longest.toFixed(0)} ms at most`,
  )
}
