import type { CredentialStore, NewCredentialRow } from '../../contract/credential-store.ts'
import type { SecretBox } from '../../kit/secret-box.ts'
import {
  CREDENTIAL_COLUMNS,
  CREDENTIAL_USE_EVERY_MS,
  credentialFromRow,
  openCredential,
  sealCredential,
} from '../rows/credential.ts'
import type { SqlDatabase, SqlWrite } from '../sql/session.ts'
import { insertRow, updateRow } from '../sql/statements.ts'
import { createUseNotes } from '../use-notes.ts'

type Sealed = NewCredentialRow & { sealed: string }

export const insertCredential: SqlWrite<Sealed, void> = {
  name: 'insertCredential',
  grows: true,
  isOneStatement: true,
  async run(session, { id, name, kind, sealed, createdAt, updatedAt }) {
    const row = { id, name, kind, sealed, created_at: createdAt, updated_at: updatedAt }
    await insertRow(session, 'credentials', row)
  },
}

export const updateCredential: SqlWrite<NewCredentialRow & { sealed: string | null }, void> = {
  name: 'updateCredential',
  isOneStatement: true,
  async run(session, { id, name, kind, sealed, updatedAt }) {
    const changes = { name, kind, updated_at: updatedAt, ...(sealed !== null && { sealed }) }
    await updateRow(session, 'credentials', id, changes)
  },
}

export const removeCredential: SqlWrite<string, boolean> = {
  name: 'removeCredential',
  isOneStatement: true,
  run: async (session, id) => (await session.run('DELETE FROM credentials WHERE id = ?', id)) > 0,
}

export const noteCredentialUse: SqlWrite<{ id: string; now: number }, void> = {
  name: 'noteCredentialUse',
  isOneStatement: true,
  async run(session, { id, now }) {
    await updateRow(session, 'credentials', id, { last_used_at: now })
  },
}

/** Credentials are sealed in the database, and already in what is sent to it or to its thread. */
export function credentialStore({ reader, write }: SqlDatabase, box: SecretBox): CredentialStore {
  const uses = createUseNotes(CREDENTIAL_USE_EVERY_MS)
  return {
    async list() {
      const rows = await reader.all(`SELECT ${CREDENTIAL_COLUMNS} FROM credentials ORDER BY created_at, id`)
      return rows.map(credentialFromRow)
    },
    async find(id) {
      const row = await reader.get(`SELECT ${CREDENTIAL_COLUMNS} FROM credentials WHERE id = ?`, id)
      return row && credentialFromRow(row)
    },
    async open(id, kinds = []) {
      const row = await reader.get<{ sealed: string; name: string; kind: string }>(
        'SELECT sealed, name, kind FROM credentials WHERE id = ?',
        id,
      )
      return openCredential(box, id, row, kinds)
    },
    noteUse(id, now) {
      if (uses.isDue(id, now)) write(noteCredentialUse, { id, now }).catch(() => {})
    },
    insert: (row, data) => write(insertCredential, { ...row, sealed: sealCredential(box, row.id, data) }),
    update: (row, data) =>
      write(updateCredential, { ...row, sealed: data ? sealCredential(box, row.id, data) : null }),
    remove(id) {
      uses.drop(id)
      return write(removeCredential, id)
    },
  }
}
