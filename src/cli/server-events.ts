/** One of the events that a server sends. */
export type ServerEvent = { id: string; event: string; data: string }

/** Parses server-sent events (WHATWG HTML, "Parsing an event stream"); events without data are left out. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let id = ''
  let event = 'message'
  let data: string[] = []
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, event, data: data.join('\n') }
        event = 'message'
        data = []
        continue
      }
      const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)!
      if (name === 'id') id = value!
      else if (name === 'event') event = value!
      else if (name === 'data') data.push(value!)
    }
  }
}
