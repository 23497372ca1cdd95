/** The overrides of a request from their text; a problem where the text is not a JSON object. */
export function readOverrides(text: string): { overrides?: object; problem?: string } {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { overrides: value }
      : { problem: 'Overrides are an object, such as {"temperature": 0}' }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'This is not JSON' }
  }
}
