import type { CredentialStore, NewCredentialRow } from '../../contract/credential-store.ts'
import type { SecretBox } from '../../kit/secret-box.ts'
import {
  CREDENTIAL_COLUMNS,
  CREDENTIAL_USE_EVERY_MS,
  credentialFromRow,
  openCredential,
  sealCredential,
} from '../rows/credential.ts'
import { createUseNotes } from '../use-notes.ts'
import type { Connection } from './connection.ts'
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

const sealedOf = (reader: Connection, id: string) =>
  reader.get<{ sealed: string; name: string; kind: string }>(
    'SELECT sealed, name, kind FROM credentials WHERE id = ?',
    id,
  )

/** Credentials are sealed in the database, and already in the message to the writing thread. */
export function credentialStore(database: Database, box: SecretBox): CredentialStore {
  const { reader } = database
  const uses = createUseNotes(CREDENTIAL_USE_EVERY_MS)
  return {
    async list() {
      return reader
        .all(`SELECT ${CREDENTIAL_COLUMNS} FROM credentials ORDER BY created_at, id`)
        .map(credentialFromRow)
    },
    async find(id) {
      const row = reader.get(`SELECT ${CREDENTIAL_COLUMNS} FROM credentials WHERE id = ?`, id)
      return row && credentialFromRow(row)
    },
    async open(id, kinds = []) {
      return openCredential(box, id, sealedOf(reader, id), kinds)
    },
    noteUse(id, now) {
      if (!uses.isDue(id, now)) return
      database.write(noteCredentialUse, { id, now }).catch(() => {})
    },
    insert: (row, data) =>
      database.write(insertCredential, { ...row, sealed: sealCredential(box, row.id, data) }),
    update: (row, data) =>
      database.write(updateCredential, { ...row, sealed: data ? sealCredential(box, row.id, data) : null }),
    remove(id) {
      uses.forget(id)
      return database.write(removeCredential, id)
    },
  }
}
