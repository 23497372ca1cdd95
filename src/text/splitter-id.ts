/** A splitter's id: its name and every setting, in one line. */
export function splitterId(name: string, settings: Record<string, unknown>): string {
  return `${name} ${JSON.stringify(settings)}`
}
