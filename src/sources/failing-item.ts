import type { LoaderItem } from '../contract/loader.ts'

/** An item that fails when it is read, so that the failure becomes a row of the outcome. */
export function failingItem({
  name,
  error,
  discoversOthers,
}: {
  name: string
  error: Error
  discoversOthers?: true
}): LoaderItem {
  const next = () => Promise.reject(error)
  const read = () => ({ [Symbol.asyncIterator]: () => ({ next }) })
  return { name, source: name, read, ...(discoversOthers ? { discoversOthers } : {}) }
}
