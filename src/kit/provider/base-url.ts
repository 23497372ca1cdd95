/**
 * The address of a provider's API without a slash at its end.
 *
 * @throws Error with the reason, which may be shown to a client
 */
export function readBaseURL(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new Error('the base URL must begin with http:// or https://')
  return text.trim().replace(/\/+$/, '')
}

/**
 * Identifies a model: provider, name, base URL and all settings that change its answers. A name, a password or a query in
 * the URL is left out.
 */
export function modelId(
  provider: string,
  {
    model,
    baseURL,
    ...more
  }: { model: string; baseURL: string } & Record<string, string | number | undefined>,
): string {
  const { origin, pathname } = new URL(baseURL)
  const rest = Object.entries(more).filter(([, value]) => value !== undefined)
  return [
    `${provider}/${model}`,
    `at ${origin}${pathname.replace(/\/$/, '')}`,
    ...rest.map(([name, value]) => `${name} ${value}`),
  ].join(' ')
}
