import type { EngineKind } from './engine.ts'
import { lancedb } from './lancedb.ts'
import { sluice } from './sluice.ts'
import { sqliteFts5 } from './sqlite-fts5.ts'
import { sqliteVec } from './sqlite-vec.ts'

/** All engines by name; Sluice first, the peers after it. */
export const ENGINES: Record<string, EngineKind> = {
  sluice: { open: sluice, searches: ['vector', 'keyword', 'hybrid'] },
  'lancedb-flat': {
    open: (folder) => lancedb(folder, false),
    searches: ['vector', 'keyword', 'hybrid'],
  },
  'lancedb-hnsw': {
    open: (folder) => lancedb(folder, true),
    searches: ['vector', 'keyword', 'hybrid'],
  },
  'sqlite-vec': { open: sqliteVec, searches: ['vector'] },
  'sqlite-fts5': { open: sqliteFts5, searches: ['keyword'] },
}
