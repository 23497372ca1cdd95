import type { CredentialStore } from '../../contract/credential-store.ts'
import type { SecretBox } from '../../kit/secret-box.ts'
import {
  CREDENTIAL_COLUMNS,
  CREDENTIAL_USE_EVERY_MS,
  credentialFromRow,
  openCredential,
  sealCredential,
} from '../rows/credential.ts'
import { createUseNotes } from '../use-notes.ts'
import type { PostgresDatabase } from './database.ts'

/** Credentials are sealed before they are sent to the database. */
export function postgresCredentials({ reader, writer }: PostgresDatabase, box: SecretBox): CredentialStore {
  const uses = createUseNotes(CREDENTIAL_USE_EVERY_MS)
  return {
    async list() {
      const rows = await reader.all(`SELECT ${CREDENTIAL_COLUMNS} FROM credentials ORDER BY created_at, id`)
      return rows.map(credentialFromRow)
    },
    async find(id) {
      const row = await reader.get(`SELECT ${CREDENTIAL_COLUMNS} FROM credentials WHERE id = $1`, id)
      return row && credentialFromRow(row)
    },
    async open(id, kinds = []) {
      const row = await reader.get<{ sealed: string; name: string; kind: string }>(
        'SELECT sealed, name, kind FROM credentials WHERE id = $1',
        id,
      )
      return openCredential(box, id, row, kinds)
    },
    noteUse(id, now) {
      if (!uses.isDue(id, now)) return
      writer.run('UPDATE credentials SET last_used_at = $2 WHERE id = $1', id, now).catch(() => {})
    },
    async insert({ id, name, kind, createdAt, updatedAt }, data) {
      await writer.run(
        `INSERT INTO credentials (id, name, kind, sealed, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)`,
        id,
        name,
        kind,
        sealCredential(box, id, data),
        createdAt,
        updatedAt,
      )
    },
    async update({ id, name, kind, updatedAt }, data) {
      await writer.run(
        'UPDATE credentials SET name = $2, kind = $3, sealed = coalesce($4, sealed), updated_at = $5 WHERE id = $1',
        id,
        name,
        kind,
        data ? sealCredential(box, id, data) : null,
        updatedAt,
      )
    },
    async remove(id) {
      uses.forget(id)
      return (await writer.run('DELETE FROM credentials WHERE id = $1', id)) > 0
    },
  }
}
