import type { Comparison, Filter } from '../../contract/filter.ts'
import type { SqlValue } from '../../db/postgres/session.ts'
import type { Json } from '../../kit/json.ts'
import { storableJson, storableText } from './storable.ts'

/** The values of a statement. No value and no key is ever a part of its text. */
export class SqlParameters {
  readonly values: SqlValue[] = []

  /** @returns the place of the value in the text, such as `$3` */
  add(value: SqlValue): string {
    return `$${this.values.push(value)}`
  }
}

/**
 * A condition on the column `metadata` that holds for the rows that meet a filter, and is never NULL: the same rows as
 * `matches()` of `vector/matches.ts` finds.
 */
export function filterSql(filter: Filter, parameters: SqlParameters): string {
  switch (filter.op) {
    case 'and':
      return `(${['true', ...filter.all.map((part) => filterSql(part, parameters))].join(' AND ')})`
    case 'or':
      return `(${['false', ...filter.all.map((part) => filterSql(part, parameters))].join(' OR ')})`
    case 'not':
      return `(NOT ${filterSql(filter.not, parameters)})`
    default:
      return `(${comparisonSql(filter, parameters)})`
  }
}

function comparisonSql(comparison: Comparison, parameters: SqlParameters): string {
  const { path } = comparison
  const value = valueSql(path, parameters)
  const json = (one: Json) => `${parameters.add(storableJson(one))}::jsonb`
  switch (comparison.op) {
    case 'exists':
      return `${value} IS ${comparison.exists ? 'NOT NULL' : 'NULL'}`
    case 'eq':
      return `${containedSql(path, [comparison.value], parameters)}${value} IS NOT DISTINCT FROM ${json(comparison.value)}`
    case 'ne':
      return `${value} IS DISTINCT FROM ${json(comparison.value)}`
    case 'in':
      return `${containedSql(path, comparison.values, parameters)}${anySql(value, comparison.values, parameters)}`
    case 'nin':
      return `NOT ${anySql(value, comparison.values, parameters)}`
    case 'contains':
      return containsSql(value, comparison.value, parameters)
    default:
      return orderedSql(value, comparison.op, comparison.value, parameters)
  }
}

/** What metadata hold at a path, NULL for nothing. A key that contains the dots itself takes precedence. */
function valueSql(path: readonly string[], parameters: SqlParameters): string {
  const at = (keys: readonly string[]) =>
    keys.reduce((sql, key) => `${sql} -> ${parameters.add(storableText(key))}::text`, 'metadata')
  return path.length === 1 ? `(${at(path)})` : `COALESCE(${at([path.join('.')])}, ${at(path)})`
}

/**
 * A condition that a GIN index answers, and that every row with one of these values meets, with `AND` behind it. Only for texts,
 * numbers, booleans and null: containment of lists and objects is another condition than equality.
 */
function containedSql(path: readonly string[], values: readonly Json[], parameters: SqlParameters): string {
  if (values.length === 0 || values.some((value) => typeof value === 'object' && value !== null)) return ''
  const ways = path.length === 1 ? [path] : [path, [path.join('.')]]
  const objects = ways.flatMap((keys) =>
    values.map((value) => storableJson(keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value))),
  )
  return `metadata @> ANY(${parameters.add(objects)}::jsonb[]) AND `
}

const anySql = (value: string, values: readonly Json[], parameters: SqlParameters) =>
  `COALESCE(${value} = ANY(${parameters.add(values.map(storableJson))}::jsonb[]), false)`

function containsSql(value: string, part: Json, parameters: SqlParameters): string {
  const items = `jsonb_array_elements(CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value} ELSE '[]' END)`
  const among = `EXISTS (SELECT FROM ${items} AS item WHERE item = ${parameters.add(storableJson(part))}::jsonb)`
  if (typeof part !== 'string') return among
  const text = parameters.add(storableText(part))
  const within = `COALESCE(jsonb_typeof(${value}) = 'string' AND strpos(${value} #>> '{}', ${text}::text) > 0, false)`
  return `${within} OR ${among}`
}

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Numbers compare with numbers. Texts compare with texts by their code points, whatever the locale of the database. */
function orderedSql(value: string, op: keyof typeof SIGNS, limit: Json, parameters: SqlParameters): string {
  const sign = SIGNS[op]
  if (typeof limit === 'number')
    return `COALESCE(jsonb_typeof(${value}) = 'number' AND ${value} ${sign} ${parameters.add(storableJson(limit))}::jsonb, false)`
  if (typeof limit !== 'string') return 'false'
  const text = `${parameters.add(storableText(limit))}::text COLLATE "C"`
  return `COALESCE(jsonb_typeof(${value}) = 'string' AND (${value} #>> '{}') COLLATE "C" ${sign} ${text}, false)`
}
