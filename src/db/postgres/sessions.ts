import type { SessionStore } from '../../contract/session-store.ts'
import { sessionFromRow } from '../rows/session.ts'
import type { PostgresDatabase } from './database.ts'

export function postgresSessions({ reader, writer, transaction }: PostgresDatabase): SessionStore {
  return {
    async insertCode(hash, expiresAt) {
      await writer.run('INSERT INTO sign_in_codes (hash, expires_at) VALUES ($1, $2)', hash, expiresAt)
    },
    async takeCode(hash, now) {
      const code = await writer.get<{ expires_at: number }>(
        'DELETE FROM sign_in_codes WHERE hash = $1 RETURNING expires_at',
        hash,
      )
      return code !== undefined && code.expires_at > now
    },
    async insert(session) {
      await writer.run(
        `INSERT INTO sessions (id, token_hash, previous_hash, key_id, created_at, used_at, rotated_at, confirmed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        session.id,
        session.tokenHash,
        session.previousHash,
        session.keyId,
        session.createdAt,
        session.usedAt,
        session.rotatedAt,
        session.confirmedAt,
      )
    },
    async find(id) {
      const row = await reader.get('SELECT * FROM sessions WHERE id = $1', id)
      return row && sessionFromRow(row)
    },
    async findByHash(hash) {
      const row = await reader.get('SELECT * FROM sessions WHERE token_hash = $1 OR previous_hash = $1', hash)
      return row && sessionFromRow(row)
    },
    async rotate({ id, rotatedAt }, presented, token, now) {
      const changes = await writer.run(
        `UPDATE sessions SET token_hash = $1, previous_hash = $2, rotated_at = $3, confirmed_at = NULL
         WHERE id = $4 AND rotated_at = $5`,
        token,
        presented,
        now,
        id,
        rotatedAt,
      )
      return changes > 0
    },
    async confirm(id, now) {
      await writer.run(
        'UPDATE sessions SET confirmed_at = $2 WHERE id = $1 AND confirmed_at IS NULL',
        id,
        now,
      )
    },
    async noteUse(id, now) {
      await writer.run('UPDATE sessions SET used_at = $2 WHERE id = $1', id, now)
    },
    async remove(id) {
      await writer.run('DELETE FROM sessions WHERE id = $1', id)
    },
    removeAll: () =>
      transaction(async (session) => {
        await session.run('DELETE FROM sign_in_codes')
        return session.run('DELETE FROM sessions')
      }),
    removeExpired: ({ createdAt, usedAt, now }) =>
      transaction(async (session) => {
        await session.run('DELETE FROM sessions WHERE created_at < $1 OR used_at < $2', createdAt, usedAt)
        await session.run('DELETE FROM sign_in_codes WHERE expires_at <= $1', now)
      }),
  }
}
