import { InputError } from '../../cards/input-error.ts'

/** The most pages that one loader reads in a run. */
export const MAX_PAGES = 10_000

/**
 * Normalises a web address.
 *
 * @param input the input of the node that has the address
 * @throws Error, or InputError for an input: for an invalid address, or one with a name and password, because addresses are shown to users
 */
export function webAddress(given: string, input?: string): string {
  const refusal = (reason: string) =>
    input === undefined ? new Error(reason) : new InputError(input, reason)
  const url = URL.parse(given.trim())
  if (!url || !/^https?:$/.test(url.protocol)) throw refusal('Invalid URL: expected http://… or https://…')
  if (url.username !== '' || url.password !== '')
    throw refusal('a URL with a name and password is not accepted')
  return url.href
}
