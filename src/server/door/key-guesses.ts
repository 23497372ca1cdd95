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
  /** How many keys of an address are being looked up. */
  const pending = new Map<string, number>()
  const right = new Map<string, true>()
  /** The last right key of an address: most requests repeat it, and then nothing has to be remembered. */
  const lastRight = new Map<string, Uint8Array>()

  function leftOf(group: string): number {
    const store = stores.get(group)
    if (!store) return perMinute
    const now = clock()
    store.left = Math.min(perMinute, store.left + ((now - store.at) / 60_000) * perMinute)
    store.at = now
    return store.left
  }

  function isRight(group: string, hash: Uint8Array): boolean {
    const last = lastRight.get(group)
    return (last !== undefined && sameBytes(last, hash)) || right.has(nameOf(group, hash))
  }

  return {
    of(address) {
      const group = networkOf(address)
      let state: 'new' | 'pending' | 'wrong' = 'new'
      return {
        begin(hash) {
          if (state !== 'new') return
          const waiting = pending.get(group) ?? 0
          // Keys that are still looked up count as wrong, or many at the same time would all be let in.
          const left = leftOf(group) - waiting
          if (left < 1 && !isRight(group, hash))
            throw new SluiceError('too_many_keys', {
              retryAfter: Math.max(1, Math.ceil(((1 - left) * 60) / perMinute)),
            })
          state = 'pending'
          pending.set(group, waiting + 1)
        },
        end(hash, wasRight) {
          if (state === 'pending') {
            state = wasRight ? 'new' : 'wrong'
            const waiting = pending.get(group)! - 1
            if (waiting > 0) pending.set(group, waiting)
            else pending.delete(group)
            if (!wasRight) remember(stores, group, { left: Math.max(0, leftOf(group) - 1), at: clock() })
          }
          if (!wasRight) {
            right.delete(nameOf(group, hash))
            lastRight.delete(group)
            return
          }
          const last = lastRight.get(group)
          if (last !== undefined && sameBytes(last, hash)) return
          remember(right, nameOf(group, hash), true)
          remember(lastRight, group, hash)
        },
      }
    },
  }
}

/** Keeps the newest entries of a map. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > REMEMBERED) map.delete(map.keys().next().value!)
}

const nameOf = (group: string, hash: Uint8Array) => `${group} ${Buffer.from(hash).toString('base64')}`

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** A guest of an IPv6 network has all its addresses: they count as one by their first 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  return [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4).join(':')
}
