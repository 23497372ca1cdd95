import { connect, Index, rerankers, type Table, type VectorQuery } from '@lancedb/lancedb'
import { type SearchEngine, TOP } from './engine.ts'

/** LanceDB: flat, or with its HNSW index of quantised vectors; with its text index in either. */
export async function lancedb(folder: string, hnsw: boolean): Promise<SearchEngine> {
  const connection = await connect(folder)
  const reranker = await rerankers.RRFReranker.create()
  let table: Table | undefined
  return {
    hybrid: true,

    async insert(rows) {
      const data = rows.map(({ number, vector, text, group }) => ({
        ...{ number, text, group, source: `${number % 1000}.txt` },
        vector: Array.from(vector),
      }))
      if (table) await table.add(data)
      else table = await connection.createTable('rows', data)
    },

    async ready() {
      await table!.optimize()
      if (hnsw) await table!.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine' }) })
      await table!.createIndex('group', { config: Index.btree() })
      await table!.createIndex('text', { config: Index.fts() })
    },

    async search({ vector, group, text }) {
      let query: VectorQuery = table!.query().nearestTo(vector).distanceType('cosine').limit(TOP)
      if (group !== undefined) query = query.where(`\`group\` = ${group}`)
      if (text !== undefined) query = query.fullTextSearch(text).rerank(reranker)
      // It warns of each query that does not ask for the distance.
      const columns = ['number', 'text', ...(text === undefined ? ['_distance'] : [])]
      const rows = (await query.select(columns).toArray()) as { number: number; text: string }[]
      return rows.map((row) => ({ number: Number(row.number), text: row.text }))
    },

    async close() {
      table?.close()
      connection.close()
    },
  }
}
