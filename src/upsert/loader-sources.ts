import type { ChunkStore } from '../contract/chunk-store.ts'
import type { LoadedSource } from '../contract/source-load.ts'
import type { StoredLoad } from '../flow/compare-load-settings.ts'

/** Settings with which a loader of a flow has loaded sources, by the hash under which the sources have them. */
export type LoaderLoad = { hash: string; load: StoredLoad }

/** All settings with which the loaders of a flow have loaded sources of a store. */
export async function loadsOfFlow(
  store: Pick<ChunkStore, 'loadSettings'>,
  flowId: string,
): Promise<LoaderLoad[]> {
  const settings = await store.loadSettings()
  return settings
    .map(({ hash, content }) => ({ hash, load: JSON.parse(content) as StoredLoad }))
    .filter(({ load }) => load.flow === flowId)
}

/** Those of one loader, by the id of its node. */
export const loadsOfLoader = async (
  store: Pick<ChunkStore, 'loadSettings'>,
  flowId: string,
  loader: string,
): Promise<LoaderLoad[]> => (await loadsOfFlow(store, flowId)).filter(({ load }) => load.loader.id === loader)

/** How many sources one read brings. */
const PAGE = 500

/** The sources with some settings, by name. @param settings null for those of which they are not known */
export async function* eachLoaded(
  store: Pick<ChunkStore, 'loadedWith'>,
  settings: string | null,
): AsyncGenerator<LoadedSource> {
  for (let after: string | undefined; ; ) {
    const rows = await store.loadedWith({ settings, after, limit: PAGE })
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!.source
  }
}

/** The names of the sources that one loader of a flow has loaded. */
export async function sourcesOfLoader(
  store: Pick<ChunkStore, 'loadSettings' | 'loadedWith'>,
  flowId: string,
  loader: string,
): Promise<string[]> {
  const names: string[] = []
  for (const { hash } of await loadsOfLoader(store, flowId, loader))
    for await (const { source } of eachLoaded(store, hash)) names.push(source)
  return names
}
