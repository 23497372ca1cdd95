import { realpathSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createPredictor } from './agent/predictor.ts'
import { openBackend } from './backend/open-backend.ts'
import { onlyNode } from './contract/alone.ts'
import { withNotedSecrets } from './contract/noted-secrets.ts'
import { diskGuard } from './db/disk-guard.ts'
import { lockDirectory, openPermissions } from './db/directory.ts'
import { withPlainTextInProcess } from './formats/plain-text.ts'
import { createOcr } from './formats/pdf/ocr-program.ts'
import { createFileParser } from './formats/pool.ts'
import { type Config, flowEnvironment, secretsOf } from './kit/config.ts'
import { SluiceError } from './kit/errors.ts'
import { PLATFORM_PORT } from './kit/settings.ts'
import { createEgress } from './kit/egress/client.ts'
import { rulesOfSettings } from './kit/egress/rules-of-settings.ts'
import type { Log } from './kit/log.ts'
import { maskedLog } from './kit/masked-log.ts'
import { createTurns } from './kit/turns.ts'
import { createSecretBox } from './kit/secret-box.ts'
import { createSecretMask } from './kit/secret-mask.ts'
import { serve } from './kit/serve.ts'
import { stopInTime, type StopStep, type Unfinished } from './kit/stop-in-time.ts'
import { refuseIneffective } from './kit/ineffective.ts'
import { catalog as allNodes } from './nodes/catalog.ts'
import { observedEgress } from './observe/observed-egress.ts'
import type { Nodes } from './contract/nodes.ts'
import { observedCatalog } from './observe/observed-parts.ts'
import { observedPerformer } from './observe/observed-performer.ts'
import { observedRetriever } from './observe/observed-retriever.ts'
import { tracerOf } from './observe/tracing/tracer-of.ts'
import { createPlatformMetrics } from './observe/platform-metrics.ts'
import { readProcessFigures } from './observe/process-figures.ts'
import { createReadiness } from './observe/readiness.ts'
import { readServerFigures } from './observe/server-figures.ts'
import { readSharedFigures } from './observe/shared-figures.ts'
import { createRetriever } from './retrieve/run.ts'
import { flowSource } from './server/stored-flow.ts'
import { startSweeps } from './server/sweeps.ts'
import { makeQuickstart } from './server/make-quickstart.ts'
import type { Platform } from './server/platform.ts'
import { makeSignInCode } from './server/sessions.ts'
import { dryRunJobs } from './upsert/dry-run-job.ts'
import { fateShelf } from './upsert/fate-shelf.ts'
import { createOriginals } from './upsert/originals.ts'
import { originalShelf } from './upsert/original-shelf.ts'
import type { JobKind } from './contract/job.ts'
import { createUpsertEngine } from './upsert/engine.ts'
import { type InvisibleSweep, startInvisibleSweep } from './upsert/invisible-sweep.ts'
import { createJobs, type Jobs, JOBS_AT_ONCE } from './upsert/jobs.ts'
import { SPARE_PLACES } from './upsert/job-runner.ts'
import { reindexJobs } from './upsert/reindex-job.ts'
import { blobUploadShelf } from './upsert/blob-upload-shelf.ts'
import { directoryShelf } from './upsert/upload-shelf.ts'
import { claimDirectory } from './blobs/claim.ts'
import { claimedBucket } from './blobs/claimed-bucket.ts'
import { blobDirectory } from './blobs/directory.ts'
import { moveAllFiles, moveWhenBack } from './blobs/left-files.ts'
import { blobStore, uploadCheck } from './blobs/readiness.ts'
import { maskedPerformer } from './upsert/masked-performer.ts'
import type { Performer } from './upsert/performer.ts'
import type { RunnerOptions } from './upsert/job-work.ts'
import { turnsOfNodes } from './upsert/node-turns.ts'
import { upsertJobs } from './upsert/upsert-job.ts'

/** Creates and connects all parts of the server, in the order of their dependencies. */

/** How long running requests may take after the server begins to stop, in milliseconds: containers are killed after ten seconds. */
const GRACE_MS = 8000

/** How long the parts of the server may take to end after that, in milliseconds. */
const CLOSE_MS = 4000

/** The most secrets that are masked in logs and failures. */
const MOST_SECRETS = 1000

/** The shortest secret of only letters that is masked, in characters. */
const SHORTEST_WORD = 8

/** Creates the platform and listens. @throws SluiceError where it cannot start; then nothing is left open */
export async function openPlatform(config: Config, givenLog: Log, packageRoot: URL) {
  refuseIneffective(config)
  // Masks secrets in all logs and failures of the server.
  const mask = createSecretMask({ most: MOST_SECRETS, shortestWord: SHORTEST_WORD })
  for (const secret of secretsOf(config)) mask.add(secret)
  const log = maskedLog(givenLog, mask)
  const metrics = createPlatformMetrics()
  const version = await packageVersion(packageRoot)
  const telemetry = { metrics, tracer: await tracerOf(config, version, log) }
  // Known from the start, unless the system chooses it when the server listens.
  let ownPort = (config.PORT ?? PLATFORM_PORT) || undefined
  const egress = observedEgress(
    createEgress({
      rules: rulesOfSettings(config, () => ownPort),
    }),
    telemetry,
    config.TRACEPARENT_TO,
  )
  // The library is loaded where there is a bucket.
  const opened =
    config.BLOB_URL === undefined
      ? undefined
      : (await import('./blobs/open-bucket.ts')).openBucket(config.BLOB_URL, config)
  for (const secret of [opened?.keys.secretAccessKey, opened?.keys.sessionToken]) if (secret) mask.add(secret)
  const lock = await lockDirectory(config.DATA_DIR)
  const permissions = openPermissions(config.DATA_DIR)
  if (permissions !== undefined)
    log.warn('data-dir-open', {
      message: `other users of this machine can enter the data directory (permissions ${permissions}); to prevent that: chmod 700`,
      path: config.DATA_DIR,
    })
  const guard = diskGuard(config.DATA_DIR, config.MIN_FREE_MB)
  const backend = await openBackend(config, guard, log).catch((error: unknown) => {
    guard.close()
    lock.release()
    throw error
  })
  const { stores, flows, settings, messages, executions, leads, variables, audit, sessions } = backend
  // Locking created the directory.
  const home = realpathSync(config.DATA_DIR)
  const uploadDirectory = path.join(home, 'uploads')
  const scratch = path.join(home, 'scratch')
  // Files that upserts of a killed process left.
  rmSync(scratch, { recursive: true, force: true })
  const folders = {
    allowed: config.FOLDER_ALLOW.map((folder) => path.resolve(folder)),
    never: [config.DATA_DIR],
  }
  const readable = [uploadDirectory, scratch, ...withoutLinks(folders.allowed)]
  const ocr = createOcr({ program: config.TESSERACT, pages: config.OCR_PAGES })
  const parser = withPlainTextInProcess(createFileParser({ readable, ocr }), readable)
  const catalog = observedCatalog(allNodes, telemetry)
  const { nodes } = backend
  const turns = nodes ? turnsOfNodes(nodes.turns) : createTurns(JOBS_AT_ONCE, { spare: SPARE_PLACES })
  const alone = nodes?.alone ?? onlyNode
  const directory = blobDirectory(home)
  const claim = {
    settings,
    inUse: async () => (await backend.originals.bytes()) > 0 || (await backend.jobs.folders()).length > 0,
  }
  const bucket = opened && claimedBucket(opened, { ...claim, place: opened.place })
  const blobs = bucket?.shelf ?? directory
  const fates = fateShelf(blobs, scratch)
  const originals = createOriginals(
    originalShelf(blobs),
    backend.originals,
    config.MAX_ORIGINALS_MB * 2 ** 20,
  )
  const engine = createUpsertEngine({
    turns,
    log,
    metadataBytes: config.MAX_METADATA_KB * 1024,
    originals,
  })
  const startedAt = Date.now()
  let jobs: Jobs | undefined
  let isDraining = false
  let endSweeps: (() => Promise<void>) | undefined
  let sweep: InvisibleSweep | undefined
  let moving: { end(): void } | undefined

  /** Ends all parts. What has not ended is in the log: a database or a bucket that is away does not keep the server. */
  async function close(...first: StopStep[]): Promise<Unfinished[]> {
    const swept = endSweeps?.()
    moving?.end()
    swept?.catch(() => {})
    const unfinished = await stopInTime(
      [
        ...first,
        ['background work', () => backend.stop()],
        [
          'jobs',
          async () => {
            const sweptInvisible = sweep?.close()
            await jobs?.close()
            await sweptInvisible
          },
        ],
        ['loads', () => engine.idle()],
        [
          'readers and connections',
          () => Promise.all([parser.close(), egress.close(), blobs.close(), stores.close()]),
        ],
        ['traces', () => telemetry.tracer.close()],
        ['database', () => backend.close()],
        ['sweeps', () => swept],
      ],
      CLOSE_MS,
    )
    lock.release()
    for (const { part, reason } of unfinished) log.warn('part-not-finished', { part, reason })
    return unfinished
  }

  try {
    // Its modules are loaded while the thread of the database starts: each takes about 0.1 s.
    const { buildApp } = await import('./server/app.ts')
    const shortage = backend.shortage()
    if (shortage)
      log.warn('disk-full', {
        message: `${shortage.message}; until then nothing can be stored: ${shortage.facts.hint}`,
      })
    await backend.recover()
    if (bucket) {
      const away = await bucket.claimAtStart()
      const left = { from: directory, home, to: bucket.shelf }
      const tellMoved = (moved: { files: number; bytes: number }) => {
        if (moved.files > 0) log.info('files-moved', { place: opened.place, ...moved })
      }
      if (away) {
        log.warn('degraded', { away: 'blob store', reason: away.message })
        moving = moveWhenBack(left, bucket.check, await backend.jobs.folders(), tellMoved)
      } else {
        tellMoved(await moveAllFiles(left))
        rmSync(uploadDirectory, { recursive: true, force: true })
      }
    } else await claimDirectory(directory, claim)
    await makeQuickstart(flows, settings, catalog)
    const secret = await backend.openSecret()
    const box = createSecretBox(secret)
    const credentials = backend.credentials(box)
    const retriever = observedRetriever(createRetriever(), telemetry)
    mask.add(secret)
    const nodeServices: Platform['nodeServices'] = withNotedSecrets<Platform['nodeServices']>(
      {
        parser,
        scratch,
        folders,
        egress,
        async credential(id, kinds) {
          const values = await credentials.open(id, kinds)
          credentials.noteUse(id, Date.now())
          return values
        },
        settings: config,
        openStore: stores.open,
        openSeparateStore: stores.openSeparate,
        async retrieve(part, query, narrowing, signal, noteScores) {
          const hits = (await retriever.retrieve(part, [query], narrowing, signal))[0]!
          noteScores?.(hits.map(({ score }) => score))
          return hits.map(({ pageContent, metadata }) => ({ pageContent, metadata }))
        },
      },
      mask,
    )
    const findFlow = async (id: string) => {
      const flow = await flows.find(id)
      return flow && flowSource(flow)
    }
    const loading = { engine, catalog, nodeServices, findFlow, conversations: messages, log }
    const upserts = upsertJobs({ ...loading, originals, mask })
    const dryRuns = dryRunJobs({ ...loading, fates })
    const reindexes = reindexJobs({ engine, catalog, nodeServices, findFlow, log })
    const perform = (kind: JobKind, performer: Performer) =>
      observedPerformer(kind, maskedPerformer(performer, mask), telemetry)
    jobs = createJobs({
      store: backend.jobs,
      shelf: bucket
        ? blobUploadShelf(bucket.shelf, uploadDirectory, {
            check: uploadCheck(bucket.check),
            checkNow: bucket.check,
          })
        : directoryShelf(uploadDirectory),
      box,
      performers: {
        upsert: perform('upsert', upserts),
        reindex: perform('reindex', reindexes),
        dryRun: perform('dryRun', dryRuns),
      },
      fates,
      turns,
      alone,
      createRunner: nodes && (await nodeRunner(nodes)),
      traceparent: telemetry.tracer.current,
      findFlow,
      uploadBytes: config.MAX_UPLOAD_MB * 2 ** 20,
      shortage: backend.shortage,
      queueLimit: config.MAX_JOBS,
      ownerLimit: config.MAX_JOBS_PER_KEY,
      log,
    })
    const predictor = createPredictor({
      catalog,
      nodeServices,
      history: messages,
      pausedRuns: backend.pausedRuns,
      variables,
      environment: flowEnvironment,
      findFlow,
      now: () => new Date(),
    })
    const resumed = jobs
    await backend.whenRoom(() => resumed.resume())
    await backend.whenRoom(() => executions.endLost(Date.now()))
    sweep = startInvisibleSweep({ stores, engine, isBusy: resumed.isBusy, alone, log })
    endSweeps = startSweeps({
      parts: { config, engine, flows, jobs: resumed, leads, log, messages, stores, sweep },
      ...{ originals, blobs, inBucket: bucket !== undefined, jobStore: backend.jobs, alone, startedAt },
    })
    readProcessFigures(metrics, { version, dataDirectory: home })
    const { memory } = stores
    readServerFigures(metrics, { jobs: resumed, shortage: backend.shortage, memory, now: Date.now })
    const readiness = createReadiness(
      [...backend.dependencies, ...(bucket ? [blobStore(bucket.check)] : [])],
      { isStopping: () => isDraining },
    )
    const { connections } = backend
    const { lag } = stores
    readSharedFigures(metrics, { readiness, jobs: resumed, connections, lag, nodes, now: Date.now })
    const app = buildApp({
      config,
      log,
      mask,
      version,
      flows,
      keys: backend.keys,
      audit,
      sessions,
      credentials,
      stores,
      sweep,
      originals,
      catalog,
      nodeServices,
      engine,
      jobs,
      upserts,
      dryRuns,
      fates,
      reindexes,
      history: backend.history,
      failedFiles: backend.failedFiles,
      retriever,
      predictor,
      messages,
      executions,
      sharedChatRuns: backend.sharedChatRuns,
      feedback: backend.feedback,
      leads,
      variables,
      windows: backend.windows,
      metrics,
      tracer: telemetry.tracer,
      secret,
      uploadDirectory,
      readiness,
      isDraining: () => isDraining,
      shortage: backend.shortage,
    })
    const { rows } = await flows.list()
    const address = { host: config.HOST, port: config.PORT ?? PLATFORM_PORT, backlog: config.MAX_CONNECTIONS }
    const served = await serve(app, address, GRACE_MS)
    ownPort = Number(new URL(served.url).port) || 80
    lock.noteAddress(served.url)
    log.info('platform-listening', { url: served.url })
    backend.noteListening()
    return {
      url: served.url,
      openFlows: rows.filter((flow) => flow.apiKeyId === null).map((flow) => flow.slug),
      newSignInCode: () => makeSignInCode(sessions, Date.now()),
      drain() {
        isDraining = true
        log.info('platform-draining')
      },
      async close() {
        await served.close()
        const unfinished = await close(['audit log', () => audit.flush()])
        log.info('platform-closed')
        if (unfinished.length > 0)
          throw new SluiceError('stop_unfinished', {
            parts: unfinished.map(({ part }) => part).join(', '),
            hint: 'jobs that were running go on at the next start, or on another server of the database',
          })
      },
    }
  } catch (error) {
    const reported = await backend.explain(error)
    await close()
    throw reported
  }
}

/** Runs jobs together with the other servers of a database. The module is loaded where there is such a database. */
async function nodeRunner(nodes: Nodes) {
  const { createNodeJobRunner } = await import('./upsert/node-job-runner.ts')
  return (work: RunnerOptions) => createNodeJobRunner({ ...work, nodes, slots: JOBS_AT_ONCE })
}

/** The real paths of folders, without those that do not exist. */
function withoutLinks(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    try {
      return [realpathSync(folder)]
    } catch {
      return []
    }
  })
}

async function packageVersion(packageRoot: URL): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', packageRoot), 'utf8')) as {
    version: string
  }
  return version
}
