import type { SqlDialect } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'

/** How many passages of an index the estimate of its size reads. */
const SAMPLE = 200

/** About how many bytes a chunk takes besides text and vector: metadata, terms, indexes. */
const OVERHEAD = 600

/** The passages of an index, in SQLite by the index over their hashes. */
const PASSAGES: Readonly<Record<SqlDialect['name'], string>> = {
  sqlite:
    'passage_hashes AS found JOIN passages ON passages.id = found.passage_id WHERE found.index_id = indexes.id',
  postgres: 'passages WHERE passages.own IN (0, indexes.id) AND passages.index_id = indexes.id',
}

/** In SQL, about how many bytes a chunk of an index takes, by some of its passages. To be used in a SELECT from `indexes`. */
export const bytesOfChunk = ({ dialect }: Pick<SqlSession, 'dialect'>): string => `${OVERHEAD} + coalesce((
  SELECT CAST(avg(size) AS real) FROM (
    SELECT octet_length(content) + 4 * coalesce(indexes.dimensions, 0) AS size
    FROM ${PASSAGES[dialect.name]} LIMIT ${SAMPLE}) AS sampled), 0)`
