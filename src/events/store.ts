import { type Event, type EventDetails, SEED_EVENTS } from './event.ts'

/** An entry of the list, and the next later entry with the same id. */
type Entry = { event: Event; next: Entry | undefined }

/** The entries of one id, as a linked list. */
type EntriesOfId = { first: Entry; last: Entry }

/**
 * The list of events, in memory, in the order of insertion. Several events may have the same id; `find`, `replace` and
 * `remove` then mean the oldest of them. Every method except `list` takes constant time.
 */
export class EventStore {
  // A Set keeps the order of insertion, and removes any member in constant time.
  readonly #entries = new Set<Entry>()
  readonly #byId = new Map<string, EntriesOfId>()

  constructor(events: Iterable<Event> = SEED_EVENTS) {
    for (const event of events) this.append(event)
  }

  get size(): number {
    return this.#entries.size
  }

  /** All events, as a copy. */
  list(): Event[] {
    return Array.from(this.#entries, (entry) => entry.event)
  }

  append(event: Event): void {
    const entry: Entry = { event, next: undefined }
    this.#entries.add(entry)
    const sameId = this.#byId.get(event.id)
    if (sameId) {
      sameId.last.next = entry
      sameId.last = entry
    } else {
      this.#byId.set(event.id, { first: entry, last: entry })
    }
  }

  find(id: string): Event | undefined {
    return this.#byId.get(id)?.first.event
  }

  /** Replaces the details of an event; it keeps its id and position. @returns undefined for an unknown id */
  replace(id: string, details: EventDetails): Event | undefined {
    const entry = this.#byId.get(id)?.first
    if (entry) entry.event = { id, ...details }
    return entry?.event
  }

  /** @returns whether there was an event with this id */
  remove(id: string): boolean {
    const sameId = this.#byId.get(id)
    if (!sameId) return false
    this.#entries.delete(sameId.first)
    if (sameId.first.next) sameId.first = sameId.first.next
    else this.#byId.delete(id)
    return true
  }
}
