import { chatIdOf, storedSourceName, withChatId } from '../documents/conversation.ts'
import type { Conversation } from '../contract/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import type { Pins } from '../contract/fence.ts'
import { pinned } from '../documents/fence.ts'
import { SluiceError } from '../kit/errors.ts'
import type { CutChunk } from './cut.ts'
import { FileFailure, type ReadableItem } from './read-item.ts'
import type { IncomingChunk } from './source-comparison.ts'

/** Begins or continues a conversation of the flow. @throws SluiceError `session_taken` */
export type JoinConversation = (chatId: string) => Promise<void>

/**
 * The source of each chunk: its item, or the value of the record manager's key in its metadata. Sources of a conversation
 * have names of their own.
 */
export class RunSources {
  readonly #conversation: Conversation
  readonly #key: string
  /** All sources that the run has met, also of items that failed, by their names in the store. */
  readonly seen = new Set<string>()

  /** Items with chunks whose metadata name a conversation. Equal bytes do not prove that the store still has these. */
  readonly apart = new Set<string>()

  readonly #pins: Pins | undefined
  readonly #join: JoinConversation | undefined
  readonly #joined = new Map<string, Promise<void>>()

  /**
   * @param pins metadata that every chunk gets
   * @param join asked once for each conversation that metadata name
   */
  constructor(conversation: Conversation, sourceIdKey: string, pins?: Pins, join?: JoinConversation) {
    this.#pins = pins
    this.#join = join
    this.#conversation = conversation
    this.#key = sourceIdKey
  }

  /** Whether all documents of the run belong to one conversation. */
  get inConversation(): boolean {
    return this.#conversation.chatId !== undefined
  }

  /** Whether the metadata of chunks name their sources: then an item may have several, and a source several items. */
  get namedByChunks(): boolean {
    return this.#key !== 'source'
  }

  /** The name of an item in the store. */
  nameOf(item: string): string {
    return storedSourceName(item, this.inConversation ? this.#conversation : undefined)
  }

  /** Checks that the run may load chunks into the conversations that their metadata name. @throws FileFailure `session_taken` */
  async admit(chunks: readonly Pick<CutChunk, 'metadata'>[]): Promise<void> {
    const join = this.#join
    if (!join || this.inConversation) return
    for (const chatId of new Set(chunks.map(({ metadata }) => chatIdOf(metadata)))) {
      if (chatId === undefined) continue
      const joined = this.#joined.get(chatId) ?? join(chatId)
      this.#joined.set(chatId, joined)
      await joined.catch((error: unknown) => {
        throw error instanceof SluiceError && error.code === 'session_taken' ? new FileFailure(error) : error
      })
    }
  }

  /**
   * A chunk with its source and its conversation. The conversation of the request wins over that of the metadata.
   *
   * @throws FileFailure `source_id_missing`
   */
  place(readable: ReadableItem, { text, head, metadata, range }: CutChunk): IncomingChunk {
    const { flowId, chatId = chatIdOf(metadata) } = this.#conversation
    const name = this.#sourceOf(readable, metadata)
    const source = storedSourceName(name, chatId === undefined ? undefined : { flowId, chatId })
    this.seen.add(source)
    if (chatId !== this.#conversation.chatId) this.apart.add(readable.name)
    return {
      text,
      ...(head === undefined ? {} : { head }),
      source,
      metadata: pinned(withChatId(metadata, chatId), this.#pins),
      // Several items may have chunks of one source where chunks name it: then it has no text of its own.
      range: this.namedByChunks ? undefined : range,
    }
  }

  #sourceOf({ name, item }: ReadableItem, metadata: Metadata): string {
    if (this.#key === 'source') return item.source
    const value = metadata[this.#key]
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new FileFailure(new SluiceError('source_id_missing', { file: name, key: this.#key }))
  }
}
