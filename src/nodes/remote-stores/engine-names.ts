import { readBaseURLs } from '../../stores/remote/base-urls.ts'
import { InputError } from '../../cards/input-error.ts'

/** The address of a server, the first of several, for the name of an engine: without a name, a password or a query. @throws Error if it is invalid */
export function serverPlace(address: string): string {
  const { host, pathname } = new URL(readBaseURLs(address)[0]!)
  return `${host}${pathname.replace(/\/$/, '')}`
}

/**
 * A name that a user has given to a collection, as the beginning of names of collections.
 *
 * @throws Error with the reason if it cannot be one
 */
export function collectionPrefix(name: string | undefined, input: string): string {
  if (name === undefined || name.trim() === '') throw new InputError(input, `${input} is needed`)
  const trimmed = name.trim()
  if (!/^[a-z0-9][\w.-]{0,99}$/i.test(trimmed))
    throw new InputError(input, `${input} has 1 to 100 letters, digits, dots, underscores or hyphens`)
  return trimmed
}
