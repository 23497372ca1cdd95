import { readFile } from 'node:fs/promises'
import type { RunAnswer } from '../api/run.ts'
import { reasonOf } from '../kit/errors.ts'
import { isObject, type Json, parseJson } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { readAnswer } from './read-answer.ts'

export const runPath = (id: string): string => `runs/${encodeURIComponent(id)}`

/** @throws Failure where it is not a record */
export const readRun = (answer: Json | undefined | Promise<Json>): Promise<RunAnswer & Json> =>
  readAnswer(answer, async () => (await import('../api/run.ts')).runShape, 'the record of a run')

/**
 * A record that was written to a file. @param name as the person gave it, for messages
 *
 * @throws Failure where it cannot be read, or is no record
 */
export async function openRunFile(file: string, name: string): Promise<RunAnswer & Json> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure(`Cannot read ${name}: ${reasonOf(error)}`)
  })
  const value = parseJson(content)
  if (!isObject(value) || typeof value.format !== 'string' || !value.format.startsWith('sluice-run-'))
    throw new Failure(`${name} is not the record of a run`, 'sluice run show <id> --output <file> writes one')
  const { RUN_FORMAT } = await import('../api/run.ts')
  if (value.format !== RUN_FORMAT)
    throw new Failure(`${name} is a record of the form ${value.format}; this version opens ${RUN_FORMAT}`)
  return readRun(value as Json)
}
