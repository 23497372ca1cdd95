/** An event of a streamed answer; the members beside `event` and `data` depend on the event. */
export type StreamedEvent = { event: string; data?: unknown } & Record<string, unknown>

/** Takes a stream of server-sent events apart: pieces of text in, whole events out. */
export function createFrameReader(): (piece: string) => StreamedEvent[] {
  let rest = ''
  return (piece) => {
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop()!
    return frames.flatMap((frame) => {
      const line = frame.split('\n').find((one) => one.startsWith('data:'))
      // A frame without data is a comment that keeps the connection open.
      return line === undefined ? [] : [JSON.parse(line.slice('data:'.length)) as StreamedEvent]
    })
  }
}
