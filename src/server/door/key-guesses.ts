import { SluiceError } from '../../kit/errors.ts'

/** What one request tries with its key; it counts once, however often the key is looked up. */
export type Guess = {
  /** Before the key is looked up. @throws SluiceError `too_many_keys` with `retryAfter` in seconds */
  begin(hash: Uint8Array): void
  /** After it was looked up. */
  end(hash: Uint8Array, right: boolean): void
}

export type KeyGuesses = { of(address: string): Guess }

/** How many addresses, and how many keys that were right, are remembered: the oldest are forgotten first. */
const REMEMBERED = 10_000

/**
 * Slows down guessing: each address has a store of wrong keys, which fills up again by `perMinute` a minute. While it
 * is empty the address is refused before its key is looked at; a key that was right from there before still works,
 * so that a guesser locks out neither other addresses nor callers that share its own.
 *
 * @param clock milliseconds that only grow
 */
export function createKeyGuesses(
  perMinute: number,
  clock: () => number = () => performance.now(),
): KeyGuesses {
  const stores = new Map<string, { left: number; at: number }>()
  const right = new Map<string, true>()

  function storeOf(group: string): { left: number; at: number } {
    const now = clock()
    const store = stores.get(group) ?? { left: perMinute, at: now }
    store.left = Math.min(perMinute, store.left + ((now - store.at) / 60_000) * perMinute)
    store.at = now
    return store
  }

  function keep<T>(map: Map<string, T>, key: string, value: T): void {
    map.delete(key)
    map.set(key, value)
    if (map.size > REMEMBERED) map.delete(map.keys().next().value!)
  }

  return {
    of(address) {
      const group = networkOf(address)
      const nameOf = (hash: Uint8Array) => `${group} ${Buffer.from(hash).toString('base64')}`
      let counted = false
      return {
        begin(hash) {
          if (counted || right.has(nameOf(hash))) return
          const store = storeOf(group)
          if (store.left < 1)
            throw new SluiceError('too_many_keys', {
              retryAfter: Math.max(1, Math.ceil(((1 - store.left) * 60) / perMinute)),
            })
          // Taken in advance, or many at the same time would all be let in.
          counted = true
          store.left--
          keep(stores, group, store)
        },
        end(hash, isRight) {
          if (!isRight) return void right.delete(nameOf(hash))
          keep(right, nameOf(hash), true)
          const store = stores.get(group)
          if (counted && store) store.left = Math.min(perMinute, store.left + 1)
          counted = false
        },
      }
    },
  }
}

/** A guest of an IPv6 network has all its addresses: they count as one by their first 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  return [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4).join(':')
}
