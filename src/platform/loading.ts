import path from 'node:path'
import type { Backend } from '../backend/backend.ts'
import { engineReach } from '../backend/engine-reach.ts'
import { onlyMember } from '../kit/only-member.ts'
import type { EngineReach } from '../contract/chunk-store.ts'
import type { JobKind } from '../contract/job.ts'
import { DATA_FILES } from '../contract/data-files.ts'
import type { Cluster } from '../contract/cluster.ts'
import type { Catalog } from '../flow/catalog.ts'
import { createJobs } from '../jobs/create-jobs.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { maskedPerformer } from '../jobs/masked-performer.ts'
import type { Performer } from '../jobs/performer.ts'
import { leasedQueue } from '../jobs/runners/leased-queue.ts'
import { JOBS_AT_ONCE, SPARE_PLACES } from '../jobs/runners/runner.ts'
import type { RunnerOptions } from '../jobs/runners/work.ts'
import { fateShelf } from '../jobs/shelves/fate-shelf.ts'
import { type Config, flowEnvironment } from '../kit/config.ts'
import { reasonOf } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import type { SecretMask } from '../kit/secret-mask.ts'
import { createKeyedQueue } from '../kit/keyed-queue.ts'
import { observedPerformer } from '../observe/observed-performer.ts'
import type { Telemetry } from '../observe/telemetry.ts'
import { compareJobs } from '../evaluate/comparison/compare-job.ts'
import { openTemporaryIndex } from '../evaluate/comparison/open-index.ts'
import { temporaryFolders } from '../evaluate/comparison/temporary-folders.ts'
import { questionJobs } from '../evaluate/questions/question-jobs.ts'
import { watchedUpserts } from '../evaluate/questions/watched-upserts.ts'
import { dryRunJobs } from '../upsert/dry-run-job.ts'
import { createUpsertEngine } from '../upsert/engine.ts'
import { type InvisibleSweep, startInvisibleSweep } from '../upsert/invisible-sweep.ts'
import { originalShelf } from '../upsert/original-shelf.ts'
import { createOriginals } from '../upsert/originals.ts'
import { repairJobs } from '../upsert/repair-job.ts'
import { reindexJobs } from '../upsert/reindex-job.ts'
import { upsertJobs } from '../upsert/upsert-job.ts'
import { createRetriever } from '../retrieve/run.ts'
import type { Closing } from './closing.ts'
import type { Files } from './files.ts'
import type { OpenServices } from './services.ts'

type EngineOptions = {
  config: Config
  backend: Backend
  files: Files
  home: string
  scratch: string
  log: Log
  closing: Closing
}

/** The engine that loads documents, with the queue of namespaces and the files that it keeps. */
export function openEngine({ config, backend, files, scratch, log, closing }: EngineOptions) {
  const { cluster } = backend
  const namespaceQueue = cluster
    ? leasedQueue(cluster.leases)
    : createKeyedQueue(JOBS_AT_ONCE, { spare: SPARE_PLACES })
  const mostBytes = config.MAX_ORIGINALS_MB * 2 ** 20
  const originals = createOriginals(originalShelf(files.blobs), backend.originals, mostBytes)
  const engine = createUpsertEngine({
    namespaceQueue,
    log,
    metadataBytes: config.MAX_METADATA_KB * 1024,
    originals,
  })
  closing.add('loads', () => engine.idle())
  return {
    engine,
    namespaceQueue,
    originals,
    fates: fateShelf(files.blobs, scratch),
    alone: cluster?.alone ?? onlyMember,
  }
}

type LoadingOptions = EngineOptions & {
  loading: ReturnType<typeof openEngine>
  services: OpenServices
  catalog: Catalog
  telemetry: Telemetry
  mask: SecretMask
}

/** The queue, and what its jobs do. */
export async function openQueue(options: LoadingOptions) {
  const { config, backend, files, home, loading, services, catalog, telemetry, mask, log, closing } = options
  const { engine, originals, fates, namespaceQueue, alone } = loading
  const { nodeServices, findFlow, box } = services
  const plans = { engine, catalog, nodeServices, findFlow, log, edits: backend.chunkEdits }
  const conversations = backend.messages
  const upserts = upsertJobs({ ...plans, conversations, originals, mask })
  const dryRuns = dryRunJobs({ ...plans, conversations, originals, fates, prices: config.EMBEDDING_PRICES })
  const reindexes = reindexJobs(plans)
  const isBusy = (namespace: string) => jobs.isBusy(namespace)
  const repairs = repairJobs({ ...plans, isBusy, dryRun: false })
  const verifications = repairJobs({ ...plans, isBusy, dryRun: true })
  const evaluations = questionJobs({
    ...{ catalog, nodeServices, log, flows: backend.flows, questions: backend.questions },
    ...{ variables: backend.variables, environment: flowEnvironment },
    // Not the observed one: questions of an eval are no queries of users.
    retriever: createRetriever(),
  })
  const folders = temporaryFolders({
    root: path.join(home, DATA_FILES.comparisons),
    findJob: (id) => backend.jobs.find(id),
    log,
  })
  const comparisons = compareJobs({
    ...{ catalog, nodeServices, log, originals, folders, flows: backend.flows, questions: backend.questions },
    ...{ variables: backend.variables, environment: flowEnvironment },
    openIndex: (directory) => openTemporaryIndex(directory, log),
    bounds: {
      tokens: config.MAX_COMPARE_TOKENS,
      megabytes: config.MAX_COMPARE_MB,
      minutes: config.MAX_COMPARE_MINUTES,
    },
  })
  const watched = watchedUpserts(upserts, () => ({ flows: backend.flows, jobs, evaluations, log }))
  const perform = (kind: JobKind, performer: Performer) =>
    observedPerformer(kind, maskedPerformer(performer, mask), telemetry)
  const jobs: Jobs = createJobs({
    store: backend.jobs,
    shelf: files.uploads,
    box,
    performers: {
      upsert: perform('upsert', watched),
      reindex: perform('reindex', reindexes),
      dryRun: perform('dryRun', dryRuns),
      verify: perform('verify', verifications),
      repair: perform('repair', repairs),
      eval: perform('eval', evaluations),
      compare: perform('compare', comparisons),
    },
    fates,
    namespaceQueue,
    alone,
    createRunner: backend.cluster && (await clusterRunner(backend.cluster)),
    traceparent: telemetry.tracer.current,
    findFlow,
    uploadBytes: config.MAX_UPLOAD_MB * 2 ** 20,
    shortage: backend.shortage,
    queueLimit: config.MAX_JOBS,
    ownerLimit: config.MAX_JOBS_PER_KEY,
    log,
  })
  const invisible = sweepBeside(jobs, closing)
  return {
    jobs,
    upserts,
    dryRuns,
    reindexes,
    repairs,
    verifications,
    evaluations,
    comparisons,
    /** Goes on with the jobs of an earlier process, and begins to sweep what failed loads left. */
    async resume(): Promise<InvisibleSweep> {
      await backend.whenRoom(() => jobs.resume())
      closing.add('comparisons', folders.start())
      const { stores } = backend
      const failed: EngineReach['failed'] = (engine, error) =>
        log.warn('points-not-deleted', {
          message: 'an engine still has points of removed flows; this is tried again, at least every hour',
          ...{ engine, reason: reasonOf(error) },
        })
      const reach = engineReach({ places: services.places, catalog, nodeServices, failed })
      return invisible(startInvisibleSweep({ stores, engine, reach, isBusy: jobs.isBusy, alone, log }))
    },
  }
}

/** Ends the jobs, and at the same time the sweep of what failed ones left. */
function sweepBeside(jobs: Jobs, closing: Closing) {
  let sweep: InvisibleSweep | undefined
  closing.add('jobs', async () => {
    const swept = sweep?.close()
    await jobs.close()
    await swept
  })
  return (started: InvisibleSweep): InvisibleSweep => {
    sweep = started
    return started
  }
}

/** Runs jobs together with the other servers of a database. The module is loaded where there is such a database. */
async function clusterRunner(cluster: Cluster) {
  const { createClusterJobRunner } = await import('../jobs/runners/cluster-runner.ts')
  return (work: RunnerOptions) => createClusterJobRunner({ ...work, cluster, slots: JOBS_AT_ONCE })
}
