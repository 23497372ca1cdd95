/** The most pages that one loader reads in one run. */
export const MAX_PAGES = 10_000

/**
 * An address of the web as the standard writes it.
 *
 * @throws Error for one that is none, or that holds a name and password: it is shown to people
 */
export function webAddress(given: string): string {
  const url = URL.parse(given.trim())
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('Invalid URL: expected http://… or https://…')
  if (url.username !== '' || url.password !== '') throw new Error('a URL holds no name and password here')
  return url.href
}
