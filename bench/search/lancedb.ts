import { connect, Index, MatchQuery, rerankers, type Table } from '@lancedb/lancedb'
import { type SearchEngine, TOP } from './engine.ts'

/**
 * LanceDB: flat, or with its HNSW index of quantised vectors. Its text index is written in Rust and has block-max pruning,
 * as Tantivy's has; npm has no binding of Tantivy itself.
 */
export async function lancedb(folder: string, hnsw: boolean): Promise<SearchEngine> {
  const connection = await connect(folder)
  const reranker = await rerankers.RRFReranker.create()
  let table: Table | undefined
  if ((await connection.tableNames()).includes('rows')) table = await connection.openTable('rows')
  return {
    async insert(rows) {
      const data = rows.map(({ number, text, group, vector }) => ({
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
      await table!.createIndex('text', { config: Index.fts({ withPosition: false }) })
    },

    async search({ vector, group, text }) {
      const words = text === undefined ? undefined : new MatchQuery(text, 'text')
      const where = group === undefined ? undefined : `\`group\` = ${group}`
      if (!vector) {
        const query = table!.query().fullTextSearch(words!).limit(TOP)
        return answersOf(await (where ? query.where(where) : query).select(['number', 'text']).toArray())
      }
      let query = table!.query().nearestTo(vector).distanceType('cosine').limit(TOP)
      if (where) query = query.where(where)
      if (words) query = query.fullTextSearch(words).rerank(reranker)
      // It warns of each query that does not ask for the distance.
      const columns = ['number', 'text', ...(words ? [] : ['_distance'])]
      return answersOf(await query.select(columns).toArray())
    },

    async close() {
      table?.close()
      connection.close()
    },
  }
}

const answersOf = (rows: unknown[]) =>
  (rows as { number: number; text: string }[]).map((row) => ({ number: Number(row.number), text: row.text }))
