import type { EngineServer } from '../../../../src/stores/remote/engine-server.ts'
import { clientOf } from '../client-of.ts'
import { startChroma } from './chroma.ts'
import { type EngineNode, startElasticsearch, startOpenSearch } from './java-nodes.ts'
import { chromaPrograms, elasticsearchPrograms, openSearchPrograms } from './programs.ts'
import { withRoot } from './root-proxy.ts'

type Engine = { programs(): string | undefined; start(programs: string): Promise<string> }

const urlOf = ({ url }: EngineNode) => url

const ENGINES = {
  opensearch: {
    programs: openSearchPrograms,
    start: async (programs) => urlOf(await startOpenSearch(programs)),
  },
  elasticsearch: {
    programs: elasticsearchPrograms,
    start: async (programs) => withRoot(urlOf(await startElasticsearch(programs))),
  },
  chroma: { programs: chromaPrograms, start: async (programs) => urlOf(await startChroma(programs)) },
} satisfies Record<string, Engine>

/** Those that this process has started. */
const started = new Map<string, Promise<string>>()

/**
 * The address of a real server: the one at a given address, or one of the programs that `tools/provide-NAME.sh` has brought, which ends
 * with this process. Where there is neither, why.
 *
 * @throws Error with CI=true where there is neither: nobody would see that its tests were skipped
 */
export async function realEngineAddress(
  name: keyof typeof ENGINES,
  given: string | undefined,
): Promise<{ url: string } | string> {
  if (given) return { url: given }
  const { programs, start } = ENGINES[name]
  const folder = programs()
  if (folder === undefined) {
    const reason = `${name} is not there (tools/provide-${name}.sh)`
    if (process.env.CI === 'true') throw new Error(`${reason}: with CI=true it has to be`)
    return reason
  }
  if (!started.has(name)) started.set(name, start(folder))
  return { url: await started.get(name)! }
}

/** A client of the server of {@link realEngineAddress}. Where there is none, why. @throws Error as that does */
export async function realEngine(
  name: keyof typeof ENGINES,
  given: string | undefined,
  headers: Record<string, string> = {},
): Promise<EngineServer | string> {
  const found = await realEngineAddress(name, given)
  return typeof found === 'string' ? found : clientOf(found.url, headers)
}
