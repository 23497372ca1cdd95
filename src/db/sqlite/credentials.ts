import type {
  CredentialData,
  CredentialRow,
  CredentialStore,
  NewCredentialRow,
} from '../../contract/credential-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { SecretBox } from '../../kit/secret-box.ts'
import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

type Sealed = NewCredentialRow & { sealed: string }

export const insertCredential: Write<Sealed, void> = {
  name: 'insertCredential',
  grows: true,
  run(connection, { id, name, kind, sealed, createdAt, updatedAt }) {
    connection.run(
      'INSERT INTO credentials (id, name, kind, sealed, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      name,
      kind,
      sealed,
      createdAt,
      updatedAt,
    )
  },
}

export const updateCredential: Write<NewCredentialRow & { sealed: string | null }, void> = {
  name: 'updateCredential',
  run(connection, { id, name, kind, sealed, updatedAt }) {
    connection.run(
      'UPDATE credentials SET name = ?, kind = ?, sealed = coalesce(?, sealed), updated_at = ? WHERE id = ?',
      name,
      kind,
      sealed,
      updatedAt,
      id,
    )
  },
}

export const removeCredential: Write<string, boolean> = {
  name: 'removeCredential',
  run: (connection, id) => connection.run('DELETE FROM credentials WHERE id = ?', id) > 0,
}

export const noteCredentialUse: Write<{ id: string; now: number }, void> = {
  name: 'noteCredentialUse',
  run(connection, { id, now }) {
    connection.run('UPDATE credentials SET last_used_at = ? WHERE id = ?', now, id)
  },
}

/** The least time between two stored uses of a credential, in milliseconds. */
const USE_EVERY_MS = 300_000

const COLUMNS = 'id, name, kind, created_at, updated_at, last_used_at'

function fromRow(row: Row): CredentialRow {
  return {
    id: row.id as string,
    name: row.name as string,
    kind: row.kind as string,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
    lastUsedAt: row.last_used_at as number | null,
  }
}

const sealedOf = (reader: Connection, id: string) =>
  reader.get<{ sealed: string; name: string; kind: string }>(
    'SELECT sealed, name, kind FROM credentials WHERE id = ?',
    id,
  )

/** Credentials are sealed in the database, and already in the message to the writing thread. */
export function credentialStore(database: Database, box: SecretBox): CredentialStore {
  const { reader } = database
  // The sealed text includes the id, so data that was moved to another row is refused.
  const noted = new Map<string, number>()
  const seal = (id: string, data: CredentialData) => box.seal(JSON.stringify({ id, data }))
  return {
    async list() {
      return reader.all(`SELECT ${COLUMNS} FROM credentials ORDER BY created_at, id`).map(fromRow)
    },
    async find(id) {
      const row = reader.get(`SELECT ${COLUMNS} FROM credentials WHERE id = ?`, id)
      return row && fromRow(row)
    },
    async open(id, kinds = []) {
      const row = sealedOf(reader, id)
      if (row === undefined) throw new SluiceError('credential_not_found', { id })
      const { sealed, name, kind } = row
      if (kinds.length > 0 && !kinds.includes(kind))
        throw new SluiceError('credential_wrong_kind', {
          node: 'that uses it',
          wanted: kinds.join(' or '),
          name,
          kind,
        })
      const held = JSON.parse(box.open(sealed)) as { id: string; data: CredentialData }
      if (held.id !== id) throw new SluiceError('secret_unreadable')
      return held.data
    },
    noteUse(id, now) {
      const last = noted.get(id)
      // The absolute difference: where the clock was set back, the use is stored at once.
      if (last !== undefined && Math.abs(now - last) < USE_EVERY_MS) return
      noted.set(id, now)
      database.write(noteCredentialUse, { id, now }).catch(() => {})
    },
    insert: (row, data) => database.write(insertCredential, { ...row, sealed: seal(row.id, data) }),
    update: (row, data) =>
      database.write(updateCredential, { ...row, sealed: data ? seal(row.id, data) : null }),
    remove(id) {
      noted.delete(id)
      return database.write(removeCredential, id)
    },
  }
}
