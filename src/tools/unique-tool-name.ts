const LONGEST = 64

/** A name that providers accept and that is not in `taken`: `search`, `search_2`. Adds the name to `taken`. */
export function uniqueToolName(given: string, taken: Set<string>): string {
  const plain = given.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST) || 'tool'
  let name = plain
  for (let n = 2; taken.has(name); n++) {
    const tail = `_${n}`
    name = plain.slice(0, LONGEST - tail.length) + tail
  }
  taken.add(name)
  return name
}
