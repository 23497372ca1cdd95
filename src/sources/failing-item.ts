import type { LoaderItem } from '../contract/loader.ts'

/** Something that cannot be read: its failure is its own, and a row of the outcome. */
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
