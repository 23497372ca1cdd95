import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { Alone } from '../../src/contract/alone.ts'
import type { Loader } from '../../src/contract/loader.ts'
import type { JobStore } from '../../src/contract/job.ts'
import type { UploadShelf } from '../../src/contract/upload-shelf.ts'
import type { Database } from '../../src/db/sqlite/database.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { historyStore } from '../../src/db/repositories/history.ts'
import { abandonOpenRuns } from '../../src/db/ledger/indexes.ts'
import { jobStore } from '../../src/db/repositories/jobs.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createKeyedQueue } from '../../src/kit/keyed-queue.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { createUpsertEngine } from '../../src/upsert/engine.ts'
import { createJobs } from '../../src/jobs/create-jobs.ts'
import type { Submission } from '../../src/jobs/jobs.ts'
import type { Performer } from '../../src/jobs/performer.ts'
import { directoryShelf } from '../../src/jobs/shelves/upload-shelf.ts'
import { type HashEmbedder, hashEmbedder } from './hash-embedder.ts'
import { temporaryData } from './store.ts'

export { until } from './until.ts'

const OPTIONS = {
  strict: false,
  dryRun: false,
  confirmFullCleanup: false,
  returnSourceDocuments: false,
  addMetadata: {},
}

/** Loads the texts of a request, a file each. */
function textLoader(texts: Record<string, string[]>): Loader {
  return {
    id: 'texts',
    shapeMetadata: (own, added) => ({ ...own, ...added }),
    async *items() {
      for (const [name, pages] of Object.entries(texts))
        yield {
          name,
          source: name,
          async *read() {
            for (const text of pages)
              yield { parts: [{ pageContent: text, metadata: {}, last: true }], notes: [] }
          },
        }
    },
  }
}

export type DeskOptions = {
  embedder?: HashEmbedder
  key?: string
  clock?: () => number
  /** How many jobs run at the same time. */
  slots?: number
  queueLimit?: number
  ownerLimit?: number
  /** How many places more there are for owners without a running job. */
  spare?: number
  renew?: Performer['renew']
  /** Instead of the directory. */
  shelf?: UploadShelf
  alone?: Alone
  /** Wraps the store that the jobs use. */
  store?: (store: JobStore) => JobStore
}

/** Jobs over the real engine and a real database, which load the texts of their requests with an embedder of the tests. */
export async function openDesk(database: Database, uploads: string, given: DeskOptions = {}) {
  const {
    embedder = hashEmbedder(),
    key = 'key',
    clock,
    slots,
    spare,
    queueLimit,
    ownerLimit,
    store = (one) => one,
  } = given
  await database.sql.write(abandonOpenRuns, undefined)
  const flows = flowStore(database.sql)
  for (const id of ['flow', 'other'])
    if (!(await flows.find(id)))
      await flows.insert({
        id,
        slug: id,
        name: id,
        type: 'CHATFLOW',
        flowData: '{}',
        config: {},
        apiKeyId: null,
        createdAt: 1,
        updatedAt: 1,
      })
  const stores = builtInStores(database)
  const namespaceQueue = createKeyedQueue(slots, spare === undefined ? {} : { spare })
  const engine = createUpsertEngine({ namespaceQueue, log: quietLog })
  const read: string[] = []
  const renew: Performer['renew'] = given.renew ?? (async (_, request) => prepared(request))
  const partOf = ({ space, texts }: JsonObject) => ({
    store: stores.open(space as string),
    embedder,
    loaders: [textLoader(texts as Record<string, string[]>)],
    retrieval: { topK: 4, searchType: 'similarity' as const },
  })
  const upsert: Performer = {
    run(request, { jobId, uploads, lease, signal, onProgress, onFiles }) {
      for (const { path } of uploads ?? []) read.push(path)
      const work = { part: partOf(request), options: OPTIONS, warnings: [], jobId, onFiles }
      return engine.upsert(work, signal, onProgress, lease)
    },
    renew,
  }
  const reindex: Performer = {
    run: (request, { jobId, lease, signal, onProgress }) =>
      engine.reindex({ part: partOf(request), warnings: [], jobId }, signal, onProgress, lease),
    renew,
  }
  const dryRun: Performer = {
    run: (request, { signal, onProgress, onFiles }) =>
      engine.upsert(
        { part: partOf(request), options: { ...OPTIONS, dryRun: true }, warnings: [], onFiles },
        signal,
        onProgress,
      ),
    renew,
  }
  const jobs = createJobs({
    store: store(jobStore(database.sql, database.whenRoom)),
    shelf: given.shelf ?? directoryShelf(uploads),
    ...(given.alone ? { alone: given.alone } : {}),
    box: createSecretBox(key),
    performers: {
      upsert,
      reindex,
      dryRun,
      verify: reindex,
      repair: reindex,
      eval: reindex,
      compare: reindex,
    },
    namespaceQueue,
    uploadBytes: 1000,
    log: quietLog,
    ...(queueLimit ? { queueLimit } : {}),
    ...(ownerLimit ? { ownerLimit } : {}),
    ...(clock ? { clock } : {}),
  })
  await jobs.resume()
  let closed = false
  async function close() {
    if (closed) return
    closed = true
    await jobs.close()
    await engine.idle()
    await database.close()
  }
  return {
    jobs,
    embedder,
    store: jobStore(database.sql, database.whenRoom),
    history: historyStore(database.sql),
    flows,
    stores,
    database,
    /** Places that runs have read uploads from. */
    read,
    chunks: async (space = 'space') => (await stores.open(space).view(embedder.id)).count(),
    async submit(texts: Record<string, string[]>, more: Partial<Submission> & { space?: string } = {}) {
      const { space = 'space', ...rest } = more
      const { job } = await jobs.submit({
        ...prepared({ texts, space }),
        kind: 'upsert',
        flowId: 'flow',
        owner: 'flow:flow',
        ...rest,
      })
      return job.id
    },
    close,
  }
}

/** Desks over one directory. `open` is a start of the server: the second one finds what the first has left. */
export function jobDesk(t: TestContext) {
  const data = temporaryData(t)
  const uploads = path.join(data.directory, 'uploads')

  return {
    directory: data.directory,
    /** Puts the one file of an upload in place. */
    upload(folder: string) {
      mkdirSync(path.join(uploads, folder), { recursive: true })
      writeFileSync(path.join(uploads, folder, '0'), 'words')
      const sha256 = createHash('sha256').update('words').digest('hex')
      return { folder, files: [{ name: 'a.txt', size: 5, sha256 }] }
    },
    hasFolder: (folder: string) => existsSync(path.join(uploads, folder)),

    async open(given: DeskOptions = {}) {
      const desk = await openDesk(data.open(), uploads, given)
      t.after(desk.close)
      return desk
    },
  }
}

export const prepared = (request: JsonObject) => ({
  request,
  namespace: request.space as string,
  description: [{ name: 'texts' }],
})

/** A gate at which calls of an embedder wait until it is opened, or until they are aborted. */
export function gate() {
  const open = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<void>()
  return {
    /** A call has come to the gate. */
    arrived: arrival.promise,
    let: () => open.resolve(),
    async pass(signal: AbortSignal | undefined) {
      arrival.resolve()
      const left = Promise.withResolvers<never>()
      signal?.addEventListener('abort', () => left.reject(signal.reason))
      await Promise.race([open.promise, left.promise])
    },
  }
}

/** An embedder that takes one text per call, and waits for the gate. */
export const gated = (door: ReturnType<typeof gate>) =>
  hashEmbedder({
    limits: { texts: 1, bytes: 1000 },
    concurrency: 1,
    before: (_, signal) => door.pass(signal),
  })

/** Two files of three texts. */
export const TEXTS = { 'a.txt': ['one', 'two'], 'b.txt': ['three'] }

/** As many different texts. */
export const many = (count: number, word = 'text') => Array.from({ length: count }, (_, i) => `${word} ${i}`)
