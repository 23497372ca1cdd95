import type { StreamPart } from './sdk.ts'

const [OPEN, CLOSE] = ['<think>', '</think>']
const ID = 'think-tags'

/**
 * The parts of an answer with the thoughts that its model has written into the text: what is between `<think>`, at the beginning of
 * the text, and `</think>` becomes reasoning. Other text stays as it is.
 */
export async function* withoutThinkTags(parts: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart> {
  const reader = new ThinkReader()
  for await (const part of parts) {
    if (part.type === 'text-delta') yield* reader.read(part.delta)
    else {
      if (part.type === 'text-end' || part.type === 'finish') yield* reader.end()
      yield part
    }
  }
}

class ThinkReader {
  #state: 'before' | 'thinking' | 'thought' | 'answering' = 'before'
  /** Text that is not decided yet. */
  #held = ''

  /** How many characters at the end of what is held may be the beginning of the closing tag. */
  #tail(): number {
    for (let length = Math.min(CLOSE.length - 1, this.#held.length); length > 0; length--)
      if (this.#held.endsWith(CLOSE.slice(0, length))) return length
    return 0
  }

  *read(delta: string): Generator<StreamPart> {
    this.#held += delta
    if (this.#state === 'before' && !OPEN.startsWith(this.#held.trimStart())) yield* this.#begin()
    if (this.#state === 'thinking') yield* this.#think()
    // The blank lines between thoughts and answer belong to neither.
    if (this.#state === 'thought') {
      this.#held = this.#held.trimStart()
      if (this.#held !== '') this.#state = 'answering'
    }
    if (this.#state === 'answering') yield* this.#text()
  }

  /** What is held when the text ends. */
  *end(): Generator<StreamPart> {
    if (this.#state === 'thinking') {
      if (this.#held !== '') yield { type: 'reasoning-delta', id: ID, delta: this.#held }
      yield { type: 'reasoning-end', id: ID }
    } else yield* this.#text()
    this.#held = ''
    this.#state = 'answering'
  }

  *#begin(): Generator<StreamPart> {
    const begun = this.#held.trimStart()
    if (begun.startsWith(OPEN)) {
      this.#held = begun.slice(OPEN.length)
      this.#state = 'thinking'
      yield { type: 'reasoning-start', id: ID }
    } else this.#state = 'answering'
  }

  *#think(): Generator<StreamPart> {
    const end = this.#held.indexOf(CLOSE)
    const thought = this.#held.slice(0, end >= 0 ? end : this.#held.length - this.#tail())
    if (thought !== '') yield { type: 'reasoning-delta', id: ID, delta: thought }
    this.#held = this.#held.slice(thought.length)
    if (end < 0) return
    this.#held = this.#held.slice(CLOSE.length)
    this.#state = 'thought'
    yield { type: 'reasoning-end', id: ID }
  }

  *#text(): Generator<StreamPart> {
    if (this.#held !== '') yield { type: 'text-delta', id: ID, delta: this.#held }
    this.#held = ''
  }
}
