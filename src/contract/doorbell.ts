/**
 * Wakes the other members, and this one. A ring may be lost: a listener is called at each ring, and once a second in any case, and reads
 * the database to learn what has happened. So a lost ring costs a second, and nothing else.
 */
export type Doorbell = {
  /** @param topic what has changed: at most 200 characters, no text of a document and no secret */
  ring(topic: string): void
  /** Calls `listener` for rings with this topic, without waiting for what it does. Returns what ends the calls. */
  listen(topic: string, listener: () => void): () => void
}
