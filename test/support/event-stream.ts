/** An event as it arrived. */
export type ReceivedEvent = { id: string; event: string; data: string }

/** Reads server-sent events (WHATWG HTML) from an answer until it ends. */
export async function* readEvents(response: Response): AsyncGenerator<ReceivedEvent> {
  let rest = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block
          .split('\n')
          .filter((line) => !line.startsWith(':'))
          .map((line) => line.split(/: (.*)/s).slice(0, 2)),
      ) as Partial<ReceivedEvent>
      if (fields.data !== undefined) yield fields as ReceivedEvent
    }
  }
}
