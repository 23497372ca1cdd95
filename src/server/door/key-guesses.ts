import { SluiceError } from '../../kit/errors.ts'

/** The guess of one request. It counts once, even if its key is looked up several times. */
export type Guess = {
  /** Call it before the key is looked up. @throws SluiceError `too_many_keys` with `retryAfter` in seconds */
  begin(hash: Uint8Array): void
  /** Call it after the look-up. */
  end(hash: Uint8Array, right: boolean): void
}

export type KeyGuesses = { of(address: string): Guess }

/** The maximum number of stored addresses, and of stored right keys. The oldest are removed first. */
const MAX_ENTRIES = 10_000

/**
 * Limits wrong keys: each address has a budget of `perMinute` wrong keys, which refills over a minute (token bucket). While
 * it is empty, keys of this address are refused without a look-up. A key that was right from this address before still
 * works: a guesser locks out neither other addresses nor other callers of its address.
 *
 * @param clock monotonic time in milliseconds
 */
export function createKeyGuesses(
  perMinute: number,
  clock: () => number = () => performance.now(),
): KeyGuesses {
  const budgets = new Map<string, { left: number; at: number }>()
  /** The number of look-ups in progress per address. */
  const pending = new Map<string, number>()
  const right = new Map<string, true>()
  /** The last right key per address. Most requests repeat it: then no map has to change. */
  const lastRight = new Map<string, Uint8Array>()

  function leftOf(group: string): number {
    const budget = budgets.get(group)
    if (!budget) return perMinute
    const now = clock()
    budget.left = Math.min(perMinute, budget.left + ((now - budget.at) / 60_000) * perMinute)
    budget.at = now
    return budget.left
  }

  function isLastRight(group: string, hash: Uint8Array): boolean {
    const last = lastRight.get(group)
    return last !== undefined && sameBytes(last, hash)
  }

  return {
    of(address) {
      const group = networkOf(address)
      let state: 'new' | 'pending' | 'wrong' = 'new'
      return {
        begin(hash) {
          if (state !== 'new' || isLastRight(group, hash)) return
          const waiting = pending.get(group) ?? 0
          // Look-ups in progress count as wrong: otherwise many at the same time would all be admitted.
          const left = leftOf(group) - waiting
          if (left < 1 && !right.has(nameOf(group, hash)))
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
            if (!wasRight) remember(budgets, group, { left: Math.max(0, leftOf(group) - 1), at: clock() })
          }
          if (!wasRight) {
            right.delete(nameOf(group, hash))
            lastRight.delete(group)
            return
          }
          if (isLastRight(group, hash)) return
          remember(right, nameOf(group, hash), true)
          remember(lastRight, group, hash)
        },
      }
    },
  }
}

/** Adds an entry to a map as the newest, and removes the oldest if there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > MAX_ENTRIES) map.delete(map.keys().next().value!)
}

const nameOf = (group: string, hash: Uint8Array) => `${group} ${Buffer.from(hash).toString('base64')}`

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** The network of an address: for IPv6 its first 64 bits, because a client can use all addresses of its network. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  return [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4).join(':')
}
