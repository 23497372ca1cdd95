import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { apiKeyStore } from './db/api-keys.ts'
import { openDatabase } from './db/database.ts'
import { lockDirectory } from './db/directory.ts'
import { flowStore } from './db/flows.ts'
import { abandonOpenRuns } from './db/indexes.ts'
import { settingStore } from './db/settings.ts'
import { quickstartFlow } from './flow/quickstart.ts'
import { createFileParser } from './formats/pool.ts'
import type { Config } from './kit/config.ts'
import { randomId } from './kit/hash.ts'
import type { Log } from './kit/log.ts'
import { createKeyedMutex } from './kit/mutex.ts'
import { serve } from './kit/serve.ts'
import { catalog } from './nodes/catalog.ts'
import { createRetriever } from './retrieve/run.ts'
import { buildApp } from './server/app.ts'
import { builtInStores } from './stores/built-in.ts'
import { createUpsertEngine } from './upsert/engine.ts'

/** Where parts, cards and engines meet: everything is made here, in the order in which it is needed. */

const DEFAULT_PORT = 3000

/** How long requests under way may take once the platform is told to stop. */
const GRACE_MS = 60_000

type Flows = ReturnType<typeof flowStore>
type Settings = ReturnType<typeof settingStore>

/** Makes the platform and listens. @throws SluiceError where it cannot start; then nothing is left open */
export async function startPlatform(config: Config, log: Log, packageRoot: URL) {
  const lock = lockDirectory(config.DATA_DIR)
  const database = openOr(lock.release, () => openDatabase(config.DATA_DIR))
  const uploadDirectory = path.join(config.DATA_DIR, 'uploads')
  // Uploads of an upsert that a dead process left behind.
  rmSync(uploadDirectory, { recursive: true, force: true })
  const parser = createFileParser({ readable: [uploadDirectory] })
  const stores = builtInStores(database)
  const engine = createUpsertEngine({ turns: createKeyedMutex(), log })

  async function close() {
    await engine.idle()
    await parser.close()
    await database.close()
    lock.release()
  }

  try {
    await database.write(abandonOpenRuns, undefined)
    const flows = flowStore(database)
    await makeQuickstart(flows, settingStore(database))
    const app = buildApp({
      config,
      log,
      version: await packageVersion(packageRoot),
      flows,
      keys: apiKeyStore(database),
      stores,
      catalog,
      lent: { parser, openStore: stores.open },
      engine,
      retriever: createRetriever(),
      uploadDirectory,
      ready: () => database.isAlive(),
    })
    const served = await serve(app, { host: config.HOST, port: config.PORT ?? DEFAULT_PORT }, GRACE_MS)
    log.info('platform-listening', { url: served.url })
    const { rows } = await flows.list()
    return {
      url: served.url,
      openFlows: rows.filter((flow) => flow.apiKeyId === null).map((flow) => flow.slug),
      async close() {
        await served.close()
        await close()
        log.info('platform-closed')
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens something; lets go of what was taken for it where that fails. */
function openOr<T>(letGo: () => void, open: () => T): T {
  try {
    return open()
  } catch (error) {
    letGo()
    throw error
  }
}

/** The first start, and only that, draws the flow to begin with: who deletes it has deleted it. */
async function makeQuickstart(flows: Flows, settings: Settings): Promise<void> {
  const id = randomId()
  if ((await settings.keep('quickstart', id)) !== id) return
  const { name, slug, flowData, apiConfig } = quickstartFlow(catalog)
  const now = Date.now()
  await flows.insert({
    id,
    slug,
    name,
    type: 'CHATFLOW',
    flowData,
    config: { apiConfig },
    apiKeyId: null,
    createdAt: now,
    updatedAt: now,
  })
}

async function packageVersion(packageRoot: URL): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', packageRoot), 'utf8')) as {
    version: string
  }
  return version
}
