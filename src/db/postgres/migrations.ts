import { SluiceError } from '../../kit/errors.ts'
import type { SqlSession } from './session.ts'
import type { RunTransaction } from './transaction.ts'

/**
 * A change of the schema. Its number is its place in the list, from 1. A released step is never edited.
 *
 * An upgrade goes member by member, so a step *expands* the schema: members of the version before must work on what it leaves. What they need
 * is removed by a step of a later version, which *contracts* the schema and says so: `needs` is then the number of the newest step
 * that a program must know to work on it.
 *
 * A step that *guards* something says so too, with its own number: a program that does not know a fence, a quota or a permission works on
 * the schema, and lets everybody through. Before all members have the version with such a step, a member of the version before does not
 * start again.
 */
export type SchemaStep = { name: string; sql: string; needs?: number }

/** The key of the lock that one member at a time holds to change the schema: "sluice" in ASCII. */
const LOCK = 0x73_6c_75_69_63_65

/** How long one step may take, and how long a member waits for the steps of another, in milliseconds. */
const LONGEST_MS = 30 * 60_000

const TABLE = `
  CREATE TABLE IF NOT EXISTS schema_steps (
    number integer PRIMARY KEY,
    name text NOT NULL,
    needs integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`

/**
 * Brings the schema to the newest step, one transaction a step. Of several members that start together, one does each step.
 *
 * @throws SluiceError `schema_newer` where another version has contracted the schema
 */
export async function applySchema(transaction: RunTransaction, steps: readonly SchemaStep[]): Promise<void> {
  const options = { limitMs: LONGEST_MS, repeatable: true }
  while (await transaction((session) => nextStep(session, steps), options));
}

/** Does the first step that is missing; returns whether one was. */
async function nextStep(session: SqlSession, steps: readonly SchemaStep[]): Promise<boolean> {
  await session.run('SELECT pg_advisory_xact_lock($1)', LOCK)
  const exists = await session.get(`SELECT 1 WHERE to_regclass('schema_steps') IS NOT NULL`)
  if (!exists) await session.run(TABLE)
  const { found, needs } = (await session.get<{ found: number; needs: number }>(
    'SELECT coalesce(max(number), 0) AS found, coalesce(max(needs), 0) AS needs FROM schema_steps',
  ))!
  if (needs > steps.length) throw new SluiceError('schema_newer', { found, needs, known: steps.length })
  const step = steps[found]
  if (step === undefined) return false
  await session.run(step.sql)
  await session.run(
    'INSERT INTO schema_steps (number, name, needs) VALUES ($1, $2, $3)',
    found + 1,
    step.name,
    step.needs ?? 0,
  )
  return true
}
