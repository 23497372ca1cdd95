/** The address of a link in a text of a model, if a person may follow it; undefined for scripts and the like. */
export function safeLink(address: string): string | undefined {
  try {
    const { protocol, href } = new URL(address)
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
  } catch {
    return undefined
  }
}
