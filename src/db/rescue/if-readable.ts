import { isUnreadable } from '../../kit/storage-failure.ts'

/** What a read of a database answers; undefined where that place cannot be read. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return undefined
  }
}
