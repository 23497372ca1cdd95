import type { ChunkStore } from '../contract/chunk-store.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import type { SourceRow } from '../contract/source-page.ts'
import { flowLoadSettings } from '../flow/load-settings.ts'
import { settingChangeText } from '../flow/setting-change.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Platform } from './platform.ts'
import { flowSource } from '../flow/find-flow.ts'

/**
 * Which settings of a source's load differ from those of its flow, a line each. None for a source of which they are not known, and
 * for all sources of a flow that cannot load documents as it is drawn: its problems are told elsewhere.
 */
export async function changedSettings(
  { catalog, nodeServices: { parser } }: Platform,
  flow: FlowRow,
  {
    store,
    rows,
    stopNodeId,
  }: { store: ChunkStore; rows: readonly SourceRow[]; stopNodeId?: string | undefined },
): Promise<(row: SourceRow) => string[]> {
  if (rows.every(({ settings }) => settings === null)) return () => []
  try {
    const now = flowLoadSettings(catalog, flowSource(flow), stopNodeId)
    // Loaded when it is first needed, as the rest of a refresh.
    const { findStaleLoads } = await import('../upsert/stale-loads.ts')
    const stale = await findStaleLoads(store, { catalog, flowId: flow.id, now, parser })
    const texts = new Map(stale.map(({ hash, changes }) => [hash, changes.map(settingChangeText)]))
    return ({ settings }) => (settings === null ? [] : (texts.get(settings) ?? []))
  } catch (error) {
    if (error instanceof SluiceError && (error.status === 422 || error.code === 'flow_invalid'))
      return () => []
    throw error
  }
}
