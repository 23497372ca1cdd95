import { isDeepStrictEqual } from 'node:util'
import { verifyPostgres } from '../../../src/db/postgres/verify.ts'
import { CLUSTER_KEY, type Cluster } from './cluster.ts'
import { chunksOf, DOCUMENTS, LINES } from './documents.ts'
import type { Submitted } from './load.ts'

/** Why a job may fail while PostgreSQL is cut off or starts again. */
const EXCUSES = ['database_unreachable', 'database_answer_lost', 'database_busy', 'blob_failed']

type JobRow = {
  id: string
  state: string
  changes: number
  error: string | null
  runs: number
  histories: number
}

/** What is wrong after a run, as sentences; and what was counted. */
export type Verdict = {
  problems: string[]
  failed: number
  /** Jobs that began more than once. */
  repeated: number
  texts: number
  embedded: number
}

/** Compares what the jobs left with what they were given, on each member. */
export async function judge(
  cluster: Cluster,
  flows: readonly string[],
  submitted: readonly Submitted[],
): Promise<Verdict> {
  const { database, provider } = cluster
  const problems: string[] = []
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(problem))
  const same = (found: unknown, expected: unknown, what: string) =>
    expect(
      isDeepStrictEqual(found, expected),
      `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`,
    )

  const rows = await database.reader.all<JobRow>(
    `SELECT id, state, turn, error, (turn - 1) / 2 AS runs,
       (SELECT count(*) FROM upsert_history WHERE job_id = jobs.id) AS histories
     FROM jobs`,
  )
  const jobs = new Map(rows.map((row) => [row.id, row]))
  same(rows.length, submitted.length, 'jobs')
  for (const { jobId, flow, version } of submitted) {
    const job = jobs.get(jobId)
    const name = `flow ${flow} version ${version}`
    if (!job) problems.push(`${name} is lost`)
    else {
      const code = job.error === null ? undefined : (JSON.parse(job.error) as { code: string }).code
      expect(job.state === 'done' || EXCUSES.includes(code!), `${name} is ${job.state} ${job.error ?? ''}`)
      same(job.histories, 1, `rows of the history of ${name}`)
    }
  }

  const silent = new Set<number>()
  const isDone = ({ jobId }: Submitted) => jobs.get(jobId)?.state === 'done'
  const published = new Map(
    (
      await database.reader.all<{ lane: string; runs: number }>(
        `SELECT namespace AS lane, count(*) AS runs FROM runs JOIN indexes ON indexes.id = runs.index_id
         WHERE runs.state = 'published' GROUP BY namespace`,
      )
    ).map(({ lane, runs }) => [lane, runs]),
  )
  for (const [flow, id] of flows.entries()) {
    const versions = submitted.filter((one) => one.flow === flow)
    const done = versions.filter(isDone)
    const ended = await database.reader.all<{ id: string; lane: string }>(
      'SELECT id, lane FROM jobs WHERE flow_id = $1 ORDER BY finished_at, seq',
      id,
    )
    same(
      ended.map((row) => row.id),
      versions.map(({ jobId }) => jobId),
      `order of flow ${flow}`,
    )
    same(published.get(ended[0]?.lane ?? '') ?? 0, done.length, `publications of flow ${flow}`)
    const expected = chunksOf(flow, done.at(-1)?.version ?? 1).map(({ text }) => text)
    for (const member of cluster.members) {
      if (silent.has(member.place)) continue
      const seen = await contentOf(member.url, id).catch((error: unknown) => {
        silent.add(member.place)
        problems.push(`member ${member.place} does not answer: ${String(error)}`)
      })
      if (!seen) continue
      const where = `flow ${flow} on member ${member.place}`
      same(seen.listed, expected, `chunks of ${where}`)
      same(seen.found, expected, `hits of ${where}`)
      same(
        seen.counts,
        DOCUMENTS.map(() => LINES),
        `counts of ${where}`,
      )
    }
  }

  const most = new Map<string, number>()
  for (const { flow, version, jobId } of submitted)
    for (const { text, since } of chunksOf(flow, version))
      if (since === version) most.set(text, jobs.get(jobId)?.runs ?? 0)
  const counts = new Map<string, number>()
  for (const text of provider.calls.flatMap(({ texts }) => texts))
    if (most.has(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
  for (const [text, count] of counts)
    expect(count <= most.get(text)!, `${text} was embedded ${count} times in ${most.get(text)} runs`)

  const { length: damaged } = (await verifyPostgres(cluster.address)).flatMap(({ findings }) => findings)
  same(damaged, 0, 'findings of the check')
  return {
    problems,
    failed: rows.filter(({ state }) => state !== 'done').length,
    repeated: rows.filter(({ runs }) => runs > 1).length,
    texts: counts.size,
    embedded: [...counts.values()].reduce((sum, count) => sum + count, 0),
  }
}

/** What a member gives of a flow: the chunk list, the hits of a query for all, the chunks of each document. */
async function contentOf(url: string, flow: string) {
  const ask = async <Body>(place: string, body?: object): Promise<Body> => {
    const response = await fetch(url + place, {
      headers: { authorization: `Bearer ${CLUSTER_KEY}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as Body
  }
  type Text = { pageContent: string }
  const listed = await ask<{ data: Text[] }>(`/api/v1/vector/chunks/${flow}?limit=100`)
  const hits = await ask<{ docs: Text[] }>(`/api/v1/vector/query/${flow}`, {
    ...{ query: 'any', mode: 'vector', topK: 100, nearDuplicates: false },
  })
  const sources = await ask<{ data: { source: string; chunks: number }[] }>(`/api/v1/vector/sources/${flow}`)
  const sorted = (rows: readonly Text[] = []) => rows.map(({ pageContent }) => pageContent).toSorted()
  return {
    listed: sorted(listed.data),
    found: sorted(hits.docs),
    counts: (sources.data ?? []).map(({ chunks }) => chunks),
  }
}
