/** The most pages that one loader reads in a run. */
export const MAX_PAGES = 10_000

/**
 * Normalises a web address.
 *
 * @throws Error for an invalid address, or one with a name and password, because addresses are shown to users
 */
export function webAddress(given: string): string {
  const url = URL.parse(given.trim())
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('Invalid URL: expected http://… or https://…')
  if (url.username !== '' || url.password !== '')
    throw new Error('a URL with a name and password is not accepted')
  return url.href
}
