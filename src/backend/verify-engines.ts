import { NO_CUSTOM_TOOLS } from '../flow/named-tools.ts'
import { NO_OTHER_STORES } from '../flow/document-stores/flow-stores.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NodeServices, StorePart } from '../contract/card.ts'
import type { ChunkStore, ChunkStores } from '../contract/chunk-store.ts'
import type { CredentialStore } from '../contract/credential-store.ts'
import { DATA_FILES } from '../contract/data-files.ts'
import type { Embedder } from '../contract/embedder.ts'
import type { EnginesFound, EngineVerification, VerificationOptions } from '../contract/engine-comparison.ts'
import type { EnginePlaceStore } from '../contract/engine-place-store.ts'
import type { FlowRow, FlowStore } from '../contract/flow-store.ts'
import type { Ledger } from '../contract/ledger.ts'
import { lockDirectory } from '../db/directory.ts'
import { credentialStore } from '../db/repositories/credentials.ts'
import { enginePlaceStore } from '../db/repositories/engine-places.ts'
import { openPostgres } from '../db/postgres/database.ts'
import { flowStore } from '../db/repositories/flows.ts'
import { postgresLedger } from '../db/postgres/ledger.ts'
import { refuseServers } from '../db/postgres/servers.ts'
import { shareDatabase } from '../db/postgres/share-database.ts'
import { Connection } from '../db/sqlite/connection.ts'
import { openDatabase } from '../db/sqlite/database.ts'
import { sqliteLedger } from '../db/sqlite/ledger.ts'
import type { SqlDatabase } from '../db/sql/session.ts'
import { refuseLostLog } from '../db/sqlite/log-check.ts'
import { SCHEMA_VERSION, schemaVersion } from '../db/sqlite/migrations.ts'
import { readSecretKey } from '../db/sqlite/secret-key.ts'
import { namespacesOf } from '../flow/namespaces.ts'
import { createFileParser } from '../formats/pool.ts'
import type { Config } from '../kit/config.ts'
import { directAddress } from '../kit/direct-address.ts'
import { createEgress } from '../kit/egress/client.ts'
import { rulesOfSettings } from '../kit/egress/rules-of-settings.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { createSecretBox } from '../kit/secret-box.ts'
import { catalog } from '../nodes/catalog.ts'
import { findFlow, flowSource } from '../flow/find-flow.ts'
import { builtInStores } from '../stores/built-in.ts'
import { BUILT_IN } from '../stores/built-in/engine.ts'
import { replicaStores } from '../stores/replica-stores.ts'
import { findLeftPoints } from './left-points.ts'

/** What a comparison reads of a database. Everything that it opens ends with the `ending` of {@link verifyEngines}. */
type Opened = {
  flows: FlowStore
  ledger: Ledger
  stores: ChunkStores
  credential: CredentialStore['open']
  /** Absent without the secret that opens them. */
  places?: EnginePlaceStore
  /** Called before the first repair. @throws SluiceError `database_in_use` while servers run */
  alone(): Promise<void>
}

/**
 * Compares the separate engines that the stores of flows name with the ledger: of all flows, or of one, given by id or slug.
 *
 * @param repair mends what differs; then no server may run
 * @returns what differs, and what engines still have of removed flows; undefined where the database has the schema of an earlier version
 * @throws SluiceError `flow_not_found`; `data_dir_in_use` or `database_in_use` for a repair; what opening a database throws
 */
export async function verifyEngines(
  config: Config,
  { flow, repair, progress }: VerificationOptions,
): Promise<EnginesFound | undefined> {
  await using ending = new AsyncDisposableStack()
  const address = directAddress(config)
  const opened = await (address === undefined
    ? openDirectory(config, repair, ending)
    : openServer(config, address, ending))
  if (!opened) return undefined
  const { flows, ledger, stores } = opened
  const named = new Map<string, ChunkStore>()
  const services = nodeServices(config, opened, ending)
  const context = {
    catalog,
    nodeServices: {
      ...services,
      openSeparateStore(...[namespace, source]: Parameters<NodeServices['openSeparateStore']>) {
        const store = stores.openSeparate(namespace, source)
        named.set(JSON.stringify([namespace, source.name]), store)
        return store
      },
    },
  }
  const embedders = new Map<string, Embedder[]>()
  const keep = ({ store: { namespace }, embedder }: StorePart) =>
    embedders.set(namespace, [...(embedders.get(namespace) ?? []), embedder])
  const only = flow === undefined ? undefined : await findFlow(flows, flow)
  const used = usersOf((await flows.list()).rows, (row) => {
    try {
      return namespacesOf(context, flowSource(row), keep)
    } catch (error) {
      // A flow that nothing can be read of has no store.
      if (error instanceof SluiceError && error.code === 'flow_invalid') return []
      throw error
    }
  })
  const verified: EngineVerification[] = []
  /** Engines that have not answered in time: a call for each of their indexes might last for hours. */
  const silent = new Map<string, string>()
  for (const [namespace, slugs] of used) {
    if (only && !slugs.includes(only.slug)) continue
    const index = await ledger.find(namespace)
    if (!index || index.engine === BUILT_IN) continue
    if (repair) await opened.alone()
    const about = { namespace, flows: slugs, engine: index.engine }
    const silence = silent.get(index.engine)
    if (silence !== undefined) {
      verified.push({ ...about, failure: `${silence}; it was not asked again for this index` })
      continue
    }
    try {
      const store = named.get(JSON.stringify([namespace, index.engine]))
      const embedder = embedders.get(namespace)?.find(({ id }) => id === index.embedder)
      const comparison = await store?.compare?.({
        ...{ repair, embedder },
        progress: (progressed) => progress?.(slugs, progressed),
      })
      verified.push(comparison ? { ...about, comparison } : { ...about, failure: NOT_NAMED })
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'provider_timeout')
        silent.set(index.engine, reasonOf(error))
      verified.push({ ...about, failure: reasonOf(error) })
    }
  }
  if (only) return { engines: verified, left: [] }
  if (repair && (await ledger.removedEngines()).size > 0) await opened.alone()
  const { places, credential } = opened
  return {
    engines: verified,
    left: await findLeftPoints({ ...{ ledger, stores, places, credential, repair }, context }),
  }
}

const NOT_NAMED =
  'no flow with this namespace names this engine any more: a reindex of the flow moves its chunks'

/** The slugs of the flows that use each namespace. */
function usersOf(
  rows: readonly FlowRow[],
  namespaces: (row: FlowRow) => readonly string[],
): Map<string, string[]> {
  const used = new Map<string, string[]>()
  for (const row of rows)
    for (const namespace of namespaces(row)) used.set(namespace, [...(used.get(namespace) ?? []), row.slug])
  return used
}

async function openDirectory(
  { DATA_DIR, SECRET_KEY }: Config,
  repair: boolean,
  ending: AsyncDisposableStack,
): Promise<Opened | undefined> {
  if (repair) {
    const lock = await lockDirectory(DATA_DIR)
    ending.defer(() => lock.release())
  } else await refuseLostLog(DATA_DIR)
  const file = new Connection(path.join(DATA_DIR, DATA_FILES.database), { readOnly: true })
  const isOld = schemaVersion(file) < SCHEMA_VERSION
  file.close()
  if (isOld) return undefined
  const database = openDatabase(DATA_DIR)
  ending.defer(() => database.close())
  const stores = builtInStores(database)
  ending.defer(() => stores.close())
  const secret = await readSecretKey(database, DATA_DIR, SECRET_KEY)
  const opening = openedBy(database.sql, secret)
  // The lock of the directory keeps servers away.
  const alone = async () => {}
  return { flows: flowStore(database.sql), ledger: sqliteLedger(database), stores, ...opening, alone }
}

async function openServer(
  { SECRET_KEY }: Config,
  address: string,
  ending: AsyncDisposableStack,
): Promise<Opened> {
  const database = await openPostgres(address, { program: 'sluice-verify' })
  ending.defer(() => database.close())
  // The replica of the data directory belongs to the server that may run there.
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-verify-'))
  ending.defer(() => rm(folder, { recursive: true, force: true }))
  const stores = replicaStores(database, folder)
  ending.defer(() => stores.close())
  const opening = openedBy(database.sql, SECRET_KEY)
  const alone = openOnce(async () => {
    await refuseServers(database)
    // None starts before the repair is over.
    ending.defer(await shareDatabase(address, false))
  })
  return { flows: flowStore(database.sql), ledger: postgresLedger(database), stores, ...opening, alone }
}

/** What a secret opens. */
function openedBy(sql: SqlDatabase, secret: string | undefined): Pick<Opened, 'credential' | 'places'> {
  if (secret === undefined) return { credential: noSecret }
  const box = createSecretBox(secret)
  return { credential: credentialStore(sql, box).open, places: enginePlaceStore(sql, box) }
}

const noSecret = async (id: string): Promise<never> => {
  throw new SluiceError('credential_not_found', {
    id,
    hint: 'set SECRET_KEY to the value that the server has',
  })
}

/** What the cards of stores use. Nothing is loaded or searched. */
function nodeServices(
  config: Config,
  { stores, credential }: Opened,
  ending: AsyncDisposableStack,
): NodeServices {
  const egress = createEgress({ rules: rulesOfSettings(config) })
  ending.defer(() => egress.close())
  const parser = createFileParser({ readable: [] })
  ending.defer(() => parser.close())
  return {
    parser,
    scratch: config.DATA_DIR,
    folders: { allowed: [], never: [config.DATA_DIR] },
    egress,
    credential,
    settings: config,
    customTools: NO_CUSTOM_TOOLS,
    openStore: stores.open,
    openSeparateStore: stores.openSeparate,
    flowStores: NO_OTHER_STORES,
    retrieve: async () => [],
  }
}
