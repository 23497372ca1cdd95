import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../free-port.ts'
import { type OwnProcess, ownProcess } from './own-process.ts'

export type EngineNode = OwnProcess & { url: string }

type Settings = Readonly<Record<string, string | number | boolean>>

/** Small and soon ready: a test asks a few thousand times, which is not worth the second compiler. */
const JAVA = ['-Xms256m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/**
 * One node of OpenSearch; alone unless its settings name others.
 *
 * @param programs the folder of tools/provide-opensearch.sh
 * @param java options of the virtual machine, in place of those of the tests
 */
export const startOpenSearch = (
  programs: string,
  settings?: Settings,
  java: readonly string[] = JAVA,
): Promise<EngineNode> => startNode(openSearchCommand(programs, java), settings)

/**
 * The same on a folder that may have been one's before, as one of a cluster: ready when it knows who leads the cluster.
 *
 * @param settings with the ports of the node and the others of its cluster
 */
export const startOpenSearchOn = (
  folder: string,
  programs: string,
  settings: Settings,
): Promise<EngineNode> => startNode(openSearchCommand(programs, JAVA), settings, { folder, health: '' })

const openSearchCommand = (programs: string, java: readonly string[]) => [
  ...['java', ...java, '-cp', `${programs}/classes:${programs}/jars/*`, 'OpenSearchNode'],
]

/** One node of Elasticsearch; see {@link startOpenSearch}. @param programs the folder of tools/provide-elasticsearch.sh */
export const startElasticsearch = (
  programs: string,
  settings?: Settings,
  java: readonly string[] = JAVA,
): Promise<EngineNode> =>
  startNode(
    [
      ...['java', ...java, '-cp', `${programs}/classes`, '-p', `${programs}/jars`],
      ...['--add-modules', 'ALL-MODULE-PATH', 'ElasticsearchNode'],
    ],
    settings,
    { prepare: (home) => symlinkSync(path.join(programs, 'modules'), path.join(home, 'modules')) },
  )

async function startNode(
  command: readonly string[],
  settings: Settings = { 'discovery.type': 'single-node' },
  {
    prepare = () => {},
    folder = mkdtempSync(path.join(tmpdir(), 'sluice-engine-')),
    health = 'wait_for_status=yellow&timeout=1s',
  }: { prepare?: (home: string) => void; folder?: string; health?: string } = {},
): Promise<EngineNode> {
  const home = path.join(folder, 'home')
  mkdirSync(path.join(home, 'config'), { recursive: true })
  prepare(home)
  const all: Settings = {
    'path.home': home,
    'node.name': path.basename(folder),
    'cluster.name': 'sluice-tests',
    'network.host': '127.0.0.1',
    'http.port': await freePort(),
    'transport.port': await freePort(),
    'cluster.routing.allocation.disk.threshold_enabled': false,
    ...settings,
  }
  const url = `http://127.0.0.1:${all['http.port']}`
  const process = await ownProcess(
    [...command, ...Object.entries(all).map(([name, value]) => `${name}=${value}`)],
    { folder, isReady: () => answers(`${url}/_cluster/health?${health}`) },
  )
  return { ...process, url }
}

/** Whether an address answers with a status of success. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
