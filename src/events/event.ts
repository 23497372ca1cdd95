/** The fields of an event that clients set. `date` has the form `YYYY-MM-DDTHH:mm:ss[.fraction][Z]`. */
export type EventDetails = {
  readonly name: string
  readonly date: string
  readonly location: string
}

/** A stored event. It is immutable: an update replaces it. */
export type Event = { readonly id: string } & EventDetails

/** The five events after every start. */
export const SEED_EVENTS: readonly Event[] = [
  { id: '1', name: 'Tech Conference 2024', date: '2024-06-15T09:00:00Z', location: 'San Francisco, CA' },
  { id: '2', name: 'Music Festival', date: '2024-07-20T18:00:00Z', location: 'Austin, TX' },
  { id: '3', name: 'Art Exhibition Opening', date: '2024-05-10T14:00:00Z', location: 'New York, NY' },
  { id: '4', name: 'Startup Networking Event', date: '2024-08-05T17:30:00Z', location: 'Seattle, WA' },
  { id: '5', name: 'Food & Wine Tasting', date: '2024-09-12T19:00:00Z', location: 'Napa Valley, CA' },
]
