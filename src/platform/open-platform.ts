import { createPredictor } from '../agent/predictor.ts'
import type { Backend } from '../backend/backend.ts'
import { type Config, flowEnvironment } from '../kit/config.ts'
import type { OpenEgress } from '../kit/egress/client.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { refuseIneffective } from '../kit/ineffective.ts'
import type { Log } from '../kit/log.ts'
import { serve } from '../kit/serve.ts'
import { PLATFORM_PORT } from '../kit/settings.ts'
import { makeSignInCode } from '../callers/sign-in-code.ts'
import { catalog as allNodes } from '../nodes/catalog.ts'
import { observedCatalog } from '../observe/observed-parts.ts'
import { makeQuickstart } from '../server/make-quickstart.ts'
import { type Closing, createClosing } from './closing.ts'
import { openDatabaseOf, openDirectory } from './data-directory.ts'
import { keepDeletedPlaces } from '../backend/engine-reach.ts'
import { openFigures } from './figures.ts'
import { openBucketOf, openFiles } from './files.ts'
import { openEngine, openQueue } from './loading.ts'
import { openNetwork } from './network.ts'
import { openReaders } from './readers.ts'
import { openServices } from './services.ts'
import { createSweeps } from './sweeps.ts'
import { openTelemetry } from './telemetry.ts'

/** How long running requests may take after the server begins to stop, in milliseconds: containers are killed after ten seconds. */
const GRACE_MS = 8000

/**
 * Creates and connects all parts of the server, in the order of their dependencies, and listens. Each step adds to `closing` how it ends.
 *
 * @param openEgress makes the client of all outgoing calls
 * @throws SluiceError where it cannot start; then nothing is left open
 */
export async function openPlatform(config: Config, givenLog: Log, packageRoot: URL, openEgress?: OpenEgress) {
  let log = givenLog
  let backend: Backend | undefined
  const closing = createClosing(() => log)
  try {
    refuseIneffective(config)
    const { telemetry, mask, version, ...masked } = await openTelemetry(
      config,
      givenLog,
      packageRoot,
      closing,
    )
    log = masked.log
    const network = openNetwork(config, telemetry, closing, openEgress)
    const bucket = await openBucketOf(config, mask)
    const directory = await openDirectory(config, log, closing)
    const sweeps = createSweeps(closing)
    backend = await openDatabaseOf(config, log, closing)
    // Its modules are loaded while the thread of the database starts: each takes about 0.1 s.
    const { buildApp } = await import('../server/app.ts')
    const startedAt = Date.now()
    const { egress } = network
    const readers = openReaders(config, directory, closing)
    const catalog = observedCatalog(allNodes, telemetry)
    const files = openFiles(bucket, { directory, backend, log, closing })
    const { home, scratch } = directory
    const shared = { config, backend, files, home, scratch, log, closing }
    const loading = openEngine(shared)
    noteShortage(backend, log)
    await backend.recover()
    await files.claim()
    await backend.shareIndexes?.(files.inBucket ? files.blobs : undefined)
    await makeQuickstart(backend.flows, backend.settings, catalog)
    const services = await openServices({ config, catalog, backend, egress, readers, telemetry, mask, log })
    const { resume, ...work } = await openQueue({ ...shared, loading, services, catalog, telemetry, mask })
    const { nodeServices, findFlow } = services
    const { flows, messages, executions, leads, variables, customTools, stores, sessions, audit } = backend
    const predictor = createPredictor({
      ...{ catalog, nodeServices, findFlow, variables, environment: flowEnvironment },
      ...{
        history: messages,
        pausedRuns: backend.pausedRuns,
        flowStates: backend.flowStates,
        now: () => new Date(),
      },
    })
    const sweep = await resume()
    await backend.whenRoom(() => executions.endLost(Date.now()))
    keepDeletedPlaces({ flows, places: services.places, catalog, nodeServices }).catch((error: unknown) =>
      log.warn('engine-place-not-kept', { reason: reasonOf(error) }),
    )
    const { engine, originals, fates, alone } = loading
    const { jobs } = work
    sweeps.start({
      parts: { config, engine, flows, jobs, leads, log, messages, stores, sweep },
      ...{
        originals,
        blobs: files.blobs,
        inBucket: files.inBucket,
        jobStore: backend.jobs,
        alone,
        places: services.places,
        startedAt,
      },
    })
    let draining = false
    const isDraining = () => draining
    const { metrics, tracer } = telemetry
    const readiness = openFigures(metrics, {
      version,
      home: directory.home,
      backend,
      files,
      jobs,
      isDraining,
    })
    const { secret, credentials, retriever } = services
    const app = buildApp({
      ...{ config, log, mask, version, secret, uploadDirectory: directory.uploads },
      ...{ metrics, tracer, readiness, isDraining, shortage: backend.shortage, windows: backend.windows },
      ...{ flows, messages, executions, leads, variables, customTools, stores, sessions, audit, credentials },
      ...{ keys: backend.keys, history: backend.history, failedFiles: backend.failedFiles },
      ...{ chunkEdits: backend.chunkEdits, questions: backend.questions, flowDrafts: backend.flowDrafts },
      ...{ feedback: backend.feedback, sharedChatRuns: backend.sharedChatRuns },
      ...{ catalog, nodeServices, engine, originals, fates, sweep, retriever, predictor, ...work },
    })
    const openFlows = (await flows.list()).rows.filter((flow) => flow.apiKeyId === null)
    const address = { host: config.HOST, port: config.PORT ?? PLATFORM_PORT, backlog: config.MAX_CONNECTIONS }
    const served = await serve(app, address, GRACE_MS)
    network.notePort(served.url)
    directory.lock.noteAddress(served.url)
    log.info('platform-listening', { url: served.url })
    backend.noteListening()
    closing.add('audit log', () => audit.flush())
    return {
      url: served.url,
      openFlows: openFlows.map((flow) => flow.slug),
      newSignInCode: () => makeSignInCode(sessions, Date.now()),
      drain() {
        draining = true
        log.info('platform-draining')
      },
      async close() {
        await served.close()
        await closeAll(closing, log)
      },
    }
  } catch (error) {
    const reported = backend ? await backend.explain(error) : error
    await closing.end()
    throw reported
  }
}

function noteShortage(backend: Backend, log: Log): void {
  const shortage = backend.shortage()
  if (shortage)
    log.warn('disk-full', {
      message: `${shortage.message}; until then nothing can be stored: ${shortage.facts.hint}`,
    })
}

/** @throws SluiceError `stop_unfinished` */
async function closeAll(closing: Closing, log: Log): Promise<void> {
  const unfinished = await closing.end()
  log.info('platform-closed')
  if (unfinished.length > 0)
    throw new SluiceError('stop_unfinished', {
      parts: unfinished.map(({ part }) => part).join(', '),
      hint: 'jobs that were running go on at the next start, or on another server of the database',
    })
}
