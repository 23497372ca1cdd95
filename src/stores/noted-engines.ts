import type { ChunkStores } from '../contract/chunk-store.ts'
import type { Log } from '../kit/log.ts'

/** Opens stores in separate engines. Each experimental engine is noted in the log, once. */
export function notedEngines(
  openSeparate: ChunkStores['openSeparate'],
  log: Log,
): ChunkStores['openSeparate'] {
  const noted = new Set<string>()
  return (namespace, source) => {
    if (source.experimental && !noted.has(source.name)) {
      noted.add(source.name)
      log.warn('engine-experimental', {
        message: 'a flow has its vectors in an engine that this version was never tested with',
        engine: source.name,
      })
    }
    return openSeparate(namespace, source)
  }
}
