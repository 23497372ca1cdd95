import type { Event } from '../../src/events/event.ts'
import { EventStore } from '../../src/events/store.ts'

const SIZES = [5, 1000, 100_000, 1_000_000]
const LOOKUPS = 1_000_000

export type LookupRow = { events: number; getNs: number; deleteNs: number }

/** Nanoseconds for one `find` and one `remove`, by the number of events in the list, in this process. */
export function measureLookups(): LookupRow[] {
  // The first size is measured twice: what is measured first is measured before the compiler has done its work.
  return [SIZES[0]!, ...SIZES].map(measure).slice(1)
}

function measure(events: number): LookupRow {
  const store = new EventStore(Array.from({ length: events }, (_, index) => eventOf(index)))
  // Ids are texts of their own, as a request brings them, and visit the list in random order, so that caches do not help.
  const ids = Array.from({ length: LOOKUPS }, (_, index) => String((index * 7919) % events))
  const getNs = nanoseconds(() => {
    for (const id of ids) if (!store.find(id)) throw new Error(`${id} is not there`)
  }, LOOKUPS)
  return { events, getNs, deleteNs: deleteNs(store, events) }
}

/** Deletes up to half of the list and puts it back, again and again: the list keeps its size. */
function deleteNs(store: EventStore, events: number): number {
  const batch = Math.ceil(events / 2)
  const rounds = Math.ceil(200_000 / batch)
  let total = 0
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: batch }, (_, index) => String((index * 2 + (round % 2)) % events))
    const doomed = [...new Set(ids)]
    total += nanoseconds(() => {
      for (const id of doomed) if (!store.remove(id)) throw new Error(`${id} is not there`)
    }, doomed.length)
    for (const id of doomed) store.append(eventOf(Number(id)))
  }
  return total / rounds
}

function nanoseconds(work: () => void, times: number): number {
  const startedAt = performance.now()
  work()
  return ((performance.now() - startedAt) * 1e6) / times
}

const eventOf = (index: number): Event => ({
  id: String(index),
  name: 'An event',
  date: '2024-06-15T09:00:00Z',
  location: 'Somewhere',
})
