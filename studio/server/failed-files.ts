import type { FailedFileAnswer, FailedRetryAnswer } from '../../src/api/failed-file.ts'
import { call } from './call.ts'

export type FailedFile = FailedFileAnswer

const of = (flow: string) => `/api/v1/vector/failed/${encodeURIComponent(flow)}`

/** The files of a flow that could not be loaded, the one that failed last first. */
export const listFailedFiles = (
  flow: string,
  query: { search?: string | undefined; page: number; limit: number },
): Promise<{ data: FailedFile[]; total: number }> => call(of(flow), { query })

/** Loads failed files again from the files that are kept. @param password opens those that are protected by one */
export const retryFailedFiles = (
  flow: string,
  files: string[],
  password?: string,
): Promise<FailedRetryAnswer> => call(`${of(flow)}/retry`, { method: 'POST', body: { files, password } })

export const forgetFailedFiles = (flow: string, files: string[]): Promise<unknown> =>
  call(`${of(flow)}/forget`, { method: 'POST', body: { files } })
