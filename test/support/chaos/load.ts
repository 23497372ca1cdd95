import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { drawFlow } from '../flow-drawing.ts'
import { CLUSTER_KEY, type Cluster } from './cluster.ts'
import { CHUNK_SIZE, filesOf } from './documents.ts'

/** A version of a flow's documents, and the job that loads it. */
export type Submitted = { flow: number; version: number; jobId: string }

export type Progress = { ended: number; open: number }

/** How long a client waits for the answer to a submission before it asks another member, in milliseconds. */
const PATIENCE_MS = 2500

/** Clients that submit at the same time. Each has flows of its own: the versions of a flow come one after another. */
const CLIENTS = 3

/** Stores flows that embed with the provider of the cluster; resolves with their ids. */
export async function makeFlows({ members, provider }: Cluster, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let flow = 0; flow < count; flow++) {
    const drawing = drawFlow({
      name: `Flow ${flow}`,
      splitter: { chunkSize: CHUNK_SIZE, chunkOverlap: 0 },
      recordManager: { cleanup: 'incremental' },
    })
    const { nodes: drawn } = drawing.flowData as unknown as { nodes: { data: { name: string } }[] }
    const embeddings = drawn.find(({ data }) => data.name === 'builtInEmbeddings')!
    const inputs = { openAIApiKey: 'none', basepath: `${provider.url}/v1`, batchSize: 4 }
    Object.assign(embeddings.data, { name: 'openAIEmbeddings', label: 'OpenAI Embeddings', inputs })
    const made = await fetch(`${members[0]!.url}/api/v1/chatflows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${CLUSTER_KEY}` },
      body: JSON.stringify(drawing),
    })
    assert.equal(made.status, 200, await made.clone().text())
    ids.push(((await made.json()) as { id: string }).id)
  }
  return ids
}

export type LoadOptions = {
  cluster: Cluster
  flows: readonly string[]
  /** The fewest jobs. */
  jobs: number
  /** False as long as more jobs have to follow. */
  isEnough?: () => boolean
  /** The first version of each flow; 1 unless given. */
  from?: number
  /** How many jobs may be queued and running. */
  mostOpen: number
  progress: Progress
  /** Ends the submissions before there are enough jobs. */
  signal?: AbortSignal
  random: (bound: number) => number
}

/** Submits versions of all flows to members that are up or frozen, until there are enough jobs. Repeats what is not answered. */
export async function submitAll({
  cluster,
  flows,
  jobs,
  isEnough = () => true,
  from = 1,
  mostOpen,
  progress,
  signal,
  random,
}: LoadOptions): Promise<Submitted[]> {
  const submitted: Submitted[] = []
  let begun = 0

  async function submit(flow: number, version: number): Promise<void> {
    while (!signal?.aborted) {
      if (progress.open >= mostOpen) {
        await pause(10)
        continue
      }
      const reachable = cluster.members.filter(({ state }) => state !== 'down')
      const member = reachable[random(Math.max(1, reachable.length))]
      const jobId = member && (await submitOnce(member.url, flows[flow]!, flow, version))
      if (jobId !== undefined) return void submitted.push({ flow, version, jobId })
      await pause(50)
    }
  }

  async function client(first: number): Promise<void> {
    for (let version = from; ; version++)
      for (let flow = first; flow < flows.length; flow += CLIENTS) {
        if ((begun >= jobs && isEnough()) || signal?.aborted) return
        begun++
        await submit(flow, version)
      }
  }

  await Promise.all(Array.from({ length: CLIENTS }, (_, first) => client(first)))
  return submitted.toSorted((a, b) => a.flow - b.flow || a.version - b.version)
}

/** The id of the job; undefined where the member did not answer, or could not take it. */
async function submitOnce(
  url: string,
  flowId: string,
  flow: number,
  version: number,
): Promise<string | undefined> {
  const form = new FormData()
  for (const [name, text] of Object.entries(filesOf(flow, version)))
    form.append('files', new File([text], name))
  let answer: { status: number; text: string }
  try {
    const response = await fetch(`${url}/api/v1/vector/upsert/${flowId}`, {
      method: 'POST',
      headers: { prefer: 'respond-async', 'idempotency-key': `flow ${flow} version ${version}` },
      body: form,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    answer = { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
  if (answer.status >= 500 || answer.status === 429) return undefined
  assert.equal(answer.status, 202, answer.text)
  return (JSON.parse(answer.text) as { jobId: string }).jobId
}
