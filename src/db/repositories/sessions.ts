import type { SessionRow, SessionStore } from '../../contract/session-store.ts'
import type { SqlDatabase, SqlRow, SqlWrite } from '../sql/session.ts'
import { insertRow, updateRow } from '../sql/statements.ts'

export const insertSignInCode: SqlWrite<{ hash: Uint8Array; expiresAt: number }, void> = {
  name: 'insertSignInCode',
  isOneStatement: true,
  async run(session, { hash, expiresAt }) {
    await insertRow(session, 'sign_in_codes', { hash, expires_at: expiresAt })
  },
}

export const takeSignInCode: SqlWrite<{ hash: Uint8Array; now: number }, boolean> = {
  name: 'takeSignInCode',
  isOneStatement: true,
  async run(session, { hash, now }) {
    const code = await session.get<{ expires_at: number }>(
      'DELETE FROM sign_in_codes WHERE hash = ? RETURNING expires_at',
      hash,
    )
    return code !== undefined && code.expires_at > now
  },
}

export const insertSession: SqlWrite<SessionRow, void> = {
  name: 'insertSession',
  isOneStatement: true,
  async run(session, { id, tokenHash, previousHash, keyId, createdAt, usedAt, rotatedAt, confirmedAt }) {
    await insertRow(session, 'sessions', {
      ...{ id, token_hash: tokenHash, previous_hash: previousHash, key_id: keyId },
      ...{ created_at: createdAt, used_at: usedAt, rotated_at: rotatedAt, confirmed_at: confirmedAt },
    })
  },
}

type Rotation = {
  id: string
  rotatedAt: number
  previousHash: Uint8Array
  tokenHash: Uint8Array
  now: number
}

export const rotateSession: SqlWrite<Rotation, boolean> = {
  name: 'rotateSession',
  isOneStatement: true,
  async run(session, { id, rotatedAt, previousHash, tokenHash, now }) {
    const changes = await session.run(
      `UPDATE sessions SET token_hash = ?, previous_hash = ?, rotated_at = ?, confirmed_at = NULL
       WHERE id = ? AND rotated_at = ?`,
      tokenHash,
      previousHash,
      now,
      id,
      rotatedAt,
    )
    return changes > 0
  },
}

export const confirmSession: SqlWrite<{ id: string; now: number }, void> = {
  name: 'confirmSession',
  isOneStatement: true,
  async run(session, { id, now }) {
    await session.run('UPDATE sessions SET confirmed_at = ? WHERE id = ? AND confirmed_at IS NULL', now, id)
  },
}

export const noteSessionUse: SqlWrite<{ id: string; now: number }, void> = {
  name: 'noteSessionUse',
  isOneStatement: true,
  async run(session, { id, now }) {
    await updateRow(session, 'sessions', id, { used_at: now })
  },
}

export const removeSession: SqlWrite<string, void> = {
  name: 'removeSession',
  isOneStatement: true,
  async run(session, id) {
    await session.run('DELETE FROM sessions WHERE id = ?', id)
  },
}

export const removeAllSessions: SqlWrite<undefined, number> = {
  name: 'removeAllSessions',
  async run(session) {
    await session.run('DELETE FROM sign_in_codes')
    return session.run('DELETE FROM sessions')
  },
}

type Limits = { createdAt: number; usedAt: number; now: number }

export const removeExpiredSessions: SqlWrite<Limits, void> = {
  name: 'removeExpiredSessions',
  async run(session, { createdAt, usedAt, now }) {
    await session.run('DELETE FROM sessions WHERE created_at < ? OR used_at < ?', createdAt, usedAt)
    await session.run('DELETE FROM sign_in_codes WHERE expires_at <= ?', now)
  },
}

export function sessionStore({ reader, write }: SqlDatabase): SessionStore {
  return {
    insertCode: (hash, expiresAt) => write(insertSignInCode, { hash, expiresAt }),
    takeCode: (hash, now) => write(takeSignInCode, { hash, now }),
    insert: (row) => write(insertSession, row),
    async find(id) {
      const row = await reader.get('SELECT * FROM sessions WHERE id = ?', id)
      return row && sessionFromRow(row)
    },
    async findByHash(hash) {
      const row = await reader.get('SELECT * FROM sessions WHERE token_hash = ?1 OR previous_hash = ?1', hash)
      return row && sessionFromRow(row)
    },
    rotate: ({ id, rotatedAt }, previousHash, tokenHash, now) =>
      write(rotateSession, { id, rotatedAt, previousHash, tokenHash, now }),
    confirm: (id, now) => write(confirmSession, { id, now }),
    noteUse: (id, now) => write(noteSessionUse, { id, now }),
    remove: (id) => write(removeSession, id),
    removeAll: () => write(removeAllSessions, undefined),
    removeExpired: (before) => write(removeExpiredSessions, before),
  }
}

const sessionFromRow = (row: SqlRow): SessionRow => ({
  id: row.id as string,
  tokenHash: row.token_hash as Uint8Array,
  previousHash: row.previous_hash as Uint8Array | null,
  keyId: row.key_id as string | null,
  createdAt: row.created_at as number,
  usedAt: row.used_at as number,
  rotatedAt: row.rotated_at as number,
  confirmedAt: row.confirmed_at as number | null,
})
