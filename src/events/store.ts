import { type Event, type EventDetails, SEED_EVENTS } from './event.ts'

/** A place in the list, and the next younger place that holds the same id. */
type Place = { event: Event; younger: Place | undefined }

/** All places of one id: a chain from the oldest to the youngest. */
type Namesakes = { oldest: Place; youngest: Place }

/**
 * The list of events, in memory and in the order of insertion. An id may occur more than once; it then stands for
 * the oldest event that has it. Every function but `list` takes the same time however long the list is.
 */
export class EventStore {
  // A Set keeps the order of insertion and forgets a member anywhere in constant time, which an array does not.
  readonly #places = new Set<Place>()
  readonly #byId = new Map<string, Namesakes>()

  constructor(events: Iterable<Event> = SEED_EVENTS) {
    for (const event of events) this.append(event)
  }

  get size(): number {
    return this.#places.size
  }

  /** All events, a copy: later changes of the store do not show in it. */
  list(): Event[] {
    return Array.from(this.#places, (place) => place.event)
  }

  append(event: Event): void {
    const place: Place = { event, younger: undefined }
    this.#places.add(place)
    const namesakes = this.#byId.get(event.id)
    if (namesakes) {
      namesakes.youngest.younger = place
      namesakes.youngest = place
    } else {
      this.#byId.set(event.id, { oldest: place, youngest: place })
    }
  }

  find(id: string): Event | undefined {
    return this.#byId.get(id)?.oldest.event
  }

  /** Gives the event new details; its id and its place in the list stay. `undefined` where there is no such id. */
  replace(id: string, details: EventDetails): Event | undefined {
    const place = this.#byId.get(id)?.oldest
    if (place) place.event = { id, ...details }
    return place?.event
  }

  /** Whether there was such an event. */
  remove(id: string): boolean {
    const namesakes = this.#byId.get(id)
    if (!namesakes) return false
    this.#places.delete(namesakes.oldest)
    if (namesakes.oldest.younger) namesakes.oldest = namesakes.oldest.younger
    else this.#byId.delete(id)
    return true
  }
}
