import { SluiceError } from '../kit/errors.ts'

/**
 * Any thrown value as a failure of this file. The message of a library error may quote the document, so only the
 * error's name is kept.
 */
export function readerFailure(error: unknown, file: string): SluiceError {
  if (error instanceof SluiceError) return error
  if (isOutOfMemory(error)) {
    return new SluiceError('file_over_limit', { file, reason: 'it needs more memory than a file may take' })
  }
  if (error instanceof Error && ('syscall' in error || 'permission' in error)) {
    const code = 'code' in error ? String(error.code) : error.name
    return new SluiceError('file_unreadable', { file, reason: `the server cannot open it (${code})` })
  }
  const kind = error instanceof Error ? error.name : typeof error
  return new SluiceError('file_unreadable', { file, reason: `its content is damaged (${kind})` })
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ERR_MEMORY_ALLOCATION_FAILED') ||
    /allocation failed/i.test(error.message))
