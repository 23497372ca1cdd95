import { checksum } from '../checksum.ts'
import type { SqlDialect } from './dialect.ts'
import { globText, likeText, needsGlob, regexText } from './letter-case.ts'

const codeOf = (error: unknown): Record<string, unknown> =>
  error instanceof Error ? (error as Error & Record<string, unknown>) : {}

/** SQLite's number for a row that a unique index or a primary key refuses. */
const NOT_UNIQUE: readonly unknown[] = [2067, 1555]

/** The type reads no escape of U+0000, which JSON allows: it becomes U+FFFD. */
const postgresJson = (column: string): string => `replace(${column}, '\\u0000', '\\ufffd')::json`

/** The two databases, fact by fact. */
export const SQL_DIALECTS: Readonly<Record<SqlDialect['name'], SqlDialect>> = {
  sqlite: {
    name: 'sqlite',
    forUpdate: '',
    forShare: '',
    lockName: undefined,
    rowsOfInsert: 1,
    hasChecksums: true,
    checksumOf: (...parts) => ({ checksum: checksum(...parts) }),
    overwriteDeleted: 'PRAGMA secure_delete = ON',
    randomText: 'hex(randomblob(16))',
    greatest: (one, other) => `max(${one}, ${other})`,
    json: (column) => column,
    jsonItems: (list, name) => `json_each(${list}) AS ${name}`,
    jsonLength: (column) => `json_array_length(${column})`,
    jsonWithout: (column, members) =>
      `json_remove(${column}, ${members.map((member) => `'$.${member}'`).join(', ')})`,
    // LIKE is thirty times as fast as GLOB with sets of characters, which looks at what LIKE has found.
    contains: (column, text) =>
      needsGlob(text)
        ? {
            sql: `(${column} LIKE ? ESCAPE '\\' AND ${column} GLOB ?)`,
            values: [likeText(text), globText(text)],
          }
        : { sql: `${column} LIKE ? ESCAPE '\\'`, values: [likeText(text)] },
    isDuplicate(error, { columns }) {
      const { errcode, message } = codeOf(error)
      return NOT_UNIQUE.includes(errcode) && message === `UNIQUE constraint failed: ${columns}`
    },
  },
  postgres: {
    name: 'postgres',
    forUpdate: 'FOR UPDATE',
    forShare: 'FOR SHARE',
    lockName: 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))',
    rowsOfInsert: 200,
    hasChecksums: false,
    checksumOf: () => ({}),
    overwriteDeleted: undefined,
    randomText: "replace(gen_random_uuid()::text, '-', '')",
    greatest: (one, other) => `greatest(${one}, ${other})`,
    json: postgresJson,
    jsonItems: (list, name) => `json_array_elements(${list}) WITH ORDINALITY AS ${name} (value, key)`,
    jsonLength: (column) => `json_array_length(${column}::json)`,
    jsonWithout: (column, members) =>
      `((${postgresJson(column)})::jsonb - '{${members.join(',')}}'::text[])::text`,
    // Not ILIKE: which letters it knows depends on the locale of the database.
    contains: (column, text) => ({ sql: `${column} ~ ?`, values: [regexText(text)] }),
    isDuplicate(error, { index }) {
      const { code, constraint } = codeOf(error)
      return code === '23505' && constraint === index
    },
  },
}
