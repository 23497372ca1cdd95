import { readApi } from '../../../src/openapi/read/operations.ts'
import { apiImportReport } from '../../../src/openapi/report.ts'
import { parseTree } from '../../../src/openapi/read/document.ts'
import { checkCall } from './check-call.ts'
import type { CorpusApi } from './corpus.ts'
import { describedBy } from './described.ts'
import { createJudge } from './judge.ts'

/** The results for one description. */
export type Tally = {
  file: string
  /** `2.0`, `3.0`, `3.1`, `3.2` */
  version: string
  operations: number
  /** The names of all tools. */
  names: string[]
  /** Operations that became no tool. */
  refused: string[]
  /** Operations in a file that is not in the corpus. */
  absent: number
  /** Why a call with everything required, or with everything there is, does not fit the description. */
  wrong: { required: string[]; full: string[] }
  tokens: number
  readMs: number
}

/** Reads a description, makes calls of every operation, and has them judged by the description itself. */
export async function tallyApi({ file, link, texts }: CorpusApi): Promise<Tally> {
  const startedAt = performance.now()
  const api = readApi(texts, { link })
  const readMs = performance.now() - startedAt
  const trees = Object.fromEntries(Object.entries(texts).map(([address, text]) => [address, parseTree(text)]))
  const described = describedBy(trees, link)
  const judge = createJudge(trees)
  const wrong: Tally['wrong'] = { required: [], full: [] }
  for (const operation of api.operations) {
    for (const kind of ['required', 'full'] as const) {
      const problem = await checkCall(operation, described, judge, kind === 'full')
      if (problem !== undefined)
        wrong[kind].push(`${file} ${operation.method} ${operation.path}: ${problem.slice(0, 200)}`)
    }
  }
  const absent = api.refused.filter(({ reason }) => reason.includes('is not loaded'))
  return {
    file,
    version: api.version.slice(0, 3),
    operations: api.operations.length + api.refused.length - absent.length,
    names: api.operations.map(({ name }) => name),
    refused: api.refused
      .filter((one) => !absent.includes(one))
      .map(({ method, path, reason }) => `${file} ${method} ${path}: ${reason}`),
    absent: absent.length,
    wrong,
    tokens: apiImportReport(api).tokens,
    readMs,
  }
}
