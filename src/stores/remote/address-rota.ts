/** Which of the addresses of a cluster a call takes. */
export type AddressRota = {
  /** All of them: first those that answer, in turn, then those that are left out, the one that is due next first. */
  order(): string[]
  answered(address: string): void
  /** It is left out for a while: 15 seconds, twice as long after each further failure, 4 minutes at most. */
  failed(address: string): void
}

const LEFT_OUT_MS = 15_000
const LONGEST_LEFT_OUT_MS = 240_000

/** @param now milliseconds of a clock that is never set back */
export function addressRota(addresses: readonly string[], now = () => performance.now()): AddressRota {
  const left = new Map<string, { failures: number; until: number }>()
  let calls = 0

  return {
    order() {
      const at = now()
      const isOut = (address: string) => (left.get(address)?.until ?? 0) > at
      const first = calls++ % addresses.length
      const rotated = [...addresses.slice(first), ...addresses.slice(0, first)]
      const out = rotated.filter(isOut)
      out.sort((one, other) => left.get(one)!.until - left.get(other)!.until)
      return [...rotated.filter((address) => !isOut(address)), ...out]
    },
    answered: (address) => void left.delete(address),
    failed(address) {
      const failures = (left.get(address)?.failures ?? 0) + 1
      const ms = Math.min(LEFT_OUT_MS * 2 ** (failures - 1), LONGEST_LEFT_OUT_MS)
      left.set(address, { failures, until: now() + ms })
    },
  }
}
