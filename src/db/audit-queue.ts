import type { AuditEntry, AuditStore } from '../contract/audit-store.ts'
import { auditKindOf } from '../callers/audit-kind.ts'
import type { CountedEntry } from './rows/audit.ts'

/** How long changes wait to be written together, in milliseconds: a transaction for each would cost more than the call. */
const CHANGES_WAIT_MS = 100
/** How long reads and refusals wait, in milliseconds. */
const OTHERS_WAIT_MS = 10_000
/** How many different reads and refusals are kept in that time; all further ones become one row for each status. */
const MOST_DIFFERENT = 100

/** Collects entries of the audit log and writes them together, oldest first, one write after the other. */
export function createAuditQueue(
  write: (entries: readonly CountedEntry[]) => Promise<void>,
): Pick<AuditStore, 'note' | 'flush'> {
  let changes: CountedEntry[] = []
  const others = new Map<string, CountedEntry>()
  let timer: NodeJS.Timeout | undefined
  let due = Number.POSITIVE_INFINITY
  let writing = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    due = Number.POSITIVE_INFINITY
    const entries = [...changes, ...others.values()].sort((a, b) => a.at - b.at)
    changes = []
    others.clear()
    if (entries.length > 0) writing = writing.then(() => write(entries)).catch(() => {})
    return writing
  }

  function flushWithin(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (due <= at) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(() => void flush(), milliseconds).unref()
  }

  function count(entry: AuditEntry, name = nameOf(entry)): void {
    const counted = others.get(name)
    if (!counted) others.set(name, { ...entry, times: 1 })
    else {
      counted.times++
      counted.at = entry.at
    }
  }

  function noteOther(entry: AuditEntry): void {
    const name = nameOf(entry)
    const isNew = !others.has(name)
    if (isNew && others.size >= MOST_DIFFERENT) count(merged(entry))
    else count(entry, name)
  }

  return {
    flush,
    note(entry) {
      const isChange = auditKindOf(entry) === 'change'
      if (isChange) changes.push({ ...entry, times: 1 })
      else noteOther(entry)
      flushWithin(isChange ? CHANGES_WAIT_MS : OTHERS_WAIT_MS)
    },
  }
}

/** Equal for reads and refusals that become one row. */
const nameOf = ({ caller, keyId, method, route, object, status, code, address }: AuditEntry): string =>
  [caller, keyId, method, route, object, status, code, address].join('\0')

/** The row for reads and refusals beyond the limit: only the status is kept. */
const merged = ({ at, status }: AuditEntry): AuditEntry => ({
  at,
  caller: 'several',
  keyId: null,
  method: 'several',
  route: 'several',
  object: null,
  status,
  code: null,
  address: 'several',
})
