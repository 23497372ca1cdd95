import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { Failure } from './failure.ts'

/** What is read of a job in an answer. */
export type JobAnswer = {
  id: string
  flowId: string
  kind: string
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  stage: string | null
  files: { total: number; done: number; failed: number }
  chunks: { seen: number; embedded: number; written: number }
  rate: number | null
  etaSeconds: number | null
  result: JsonObject | null
  error: { code: string; message: string } | null
  createdAt: string
  finishedAt: string | null
}

export const jobPath = (id: string): string => `jobs/${encodeURIComponent(id)}`

export const isOver = ({ state }: JobAnswer): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'

/** @throws Failure where it is no job */
export function asJob(value: Json | undefined): JobAnswer & Json {
  if (!isObject(value) || typeof value.state !== 'string' || !isObject(value.files))
    throw new Failure('The server’s answer is not a job')
  return value as JobAnswer & Json
}
