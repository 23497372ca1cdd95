/**
 * Converts an author's name to one that providers accept: lower case, `_` for spaces, at most 64 characters.
 *
 * @param fallback the name if no character is left
 */
export function sanitiseToolName(written: string, fallback: string): string {
  const name = written
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, 64)
  return name === '' ? fallback : name
}
