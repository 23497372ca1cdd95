import { startElasticsearch, startOpenSearch } from '../../test/support/engines/real/java-nodes.ts'
import { elasticsearchPrograms, openSearchPrograms } from '../../test/support/engines/real/programs.ts'
import { withRoot } from '../../test/support/engines/real/root-proxy.ts'

/** A real search server. `pid` is absent where it was not started here: then its processor time is not known. */
export type Product = { name: string; url: string; pid?: number }

/** As in use: both compilers, and memory for some hundred thousand vectors. */
const JAVA = ['-Xms1g', '-Xmx1g']

const PRODUCTS = {
  opensearch: { programs: openSearchPrograms, start: startOpenSearch },
  elasticsearch: { programs: elasticsearchPrograms, start: startElasticsearch },
}

/**
 * The server at `BENCH_ENGINE_URL` (of the process `BENCH_ENGINE_PID`, where that is on this machine), or one of its own that ends with
 * this process. `BENCH_ENGINE`: `opensearch` unless it is `elasticsearch`.
 */
export async function openProduct(): Promise<Product> {
  const name = process.env.BENCH_ENGINE ?? 'opensearch'
  if (name !== 'opensearch' && name !== 'elasticsearch') throw new Error(`there is no engine ${name}`)
  const address = process.env.BENCH_ENGINE_URL
  const pid = Number(process.env.BENCH_ENGINE_PID)
  if (address) return { name, url: address.replace(/\/$/, ''), ...(pid > 0 ? { pid } : {}) }
  const { programs, start } = PRODUCTS[name]
  const folder = programs()
  if (folder === undefined) throw new Error(`${name} is not there (tools/provide-${name}.sh)`)
  const node = await start(folder, undefined, JAVA)
  return { name, url: name === 'elasticsearch' ? await withRoot(node.url) : node.url, pid: node.pid }
}
