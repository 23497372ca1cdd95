import { chatIdOf, type Conversation, storedSourceName, withChatId } from '../contract/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import { FileFailure, type ReadableItem } from './read-item.ts'
import type { Incoming } from './source-ledger.ts'

/**
 * Which source a chunk belongs to: the item it came from, or what the metadata say under the key of the record manager;
 * in a conversation, that of this conversation alone.
 */
export class RunSources {
  readonly #conversation: Conversation
  readonly #key: string
  /** What was there to read, read or not, by the names that sources have in the store. */
  readonly seen = new Set<string>()

  /** Items with chunks whose metadata name a conversation: their bytes do not tell whether the store still has them. */
  readonly apart = new Set<string>()

  constructor(conversation: Conversation, sourceIdKey: string) {
    this.#conversation = conversation
    this.#key = sourceIdKey
  }

  /** Whether all that the run brings belongs to one conversation. */
  get inConversation(): boolean {
    return this.#conversation.chatId !== undefined
  }

  /** What an item is called in the store. */
  nameOf(item: string): string {
    return storedSourceName(item, this.inConversation ? this.#conversation : undefined)
  }

  /**
   * A chunk as it is kept. The conversation of the request wins over one that metadata name.
   *
   * @throws FileFailure `source_id_missing`
   */
  place(readable: ReadableItem, { text, metadata }: { text: string; metadata: Metadata }): Incoming {
    const { flowId, chatId = chatIdOf(metadata) } = this.#conversation
    const name = this.#sourceOf(readable, metadata)
    const source = storedSourceName(name, chatId === undefined ? undefined : { flowId, chatId })
    this.seen.add(source)
    if (chatId !== this.#conversation.chatId) this.apart.add(readable.name)
    return { text, source, metadata: withChatId(metadata, chatId) }
  }

  #sourceOf({ name, item }: ReadableItem, metadata: Metadata): string {
    if (this.#key === 'source') return item.source
    const value = metadata[this.#key]
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new FileFailure(new SluiceError('source_id_missing', { file: name, key: this.#key }))
  }
}
