import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPostgres, toSqlite } from './placeholders.ts'

test('toPostgres() numbers the places of values in their order, and makes lists arrays', () => {
  const sql = `SELECT '? IN (?)', "a?" FROM t WHERE a = ? AND b IN (?) AND c NOT IN (?) AND d = 'it''s ?' LIMIT ?`
  assert.equal(
    toPostgres(sql),
    `SELECT '? IN (?)', "a?" FROM t WHERE a = $1 AND b = ANY($2) AND c <> ALL($3) AND d = 'it''s ?' LIMIT $4`,
  )
})

test('toPostgres() keeps the numbers that places have, and statements with places of its own', () => {
  assert.equal(toPostgres('a = ?2 OR b = ?1 OR c IN (?2)'), 'a = $2 OR b = $1 OR c = ANY($2)')
  assert.equal(toPostgres('a = $1 AND b IN ($2, $3)'), 'a = $1 AND b IN ($2, $3)')
})

test('toSqlite() reads lists from JSON, and changes nothing else', () => {
  const from = (place: string) => `IN (SELECT value FROM json_each(${place}))`
  assert.equal(
    toSqlite(`a IN (?) AND b NOT IN (?3) AND c = 'IN (?)'`),
    `a ${from('?')} AND b NOT ${from('?3')} AND c = 'IN (?)'`,
  )
  assert.equal(toSqlite('a IN (?1, ?2) AND b = ?'), 'a IN (?1, ?2) AND b = ?')
})
