import type { SessionRow, SessionStore } from '../../contract/session-store.ts'
import { sessionFromRow } from '../rows/session.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

export const insertSignInCode: Write<{ hash: Uint8Array; expiresAt: number }, void> = {
  name: 'insertSignInCode',
  run(connection, { hash, expiresAt }) {
    connection.run('INSERT INTO sign_in_codes (hash, expires_at) VALUES (?, ?)', hash, expiresAt)
  },
}

export const takeSignInCode: Write<{ hash: Uint8Array; now: number }, boolean> = {
  name: 'takeSignInCode',
  run(connection, { hash, now }) {
    const code = connection.get<{ expires_at: number }>(
      'DELETE FROM sign_in_codes WHERE hash = ? RETURNING expires_at',
      hash,
    )
    return code !== undefined && code.expires_at > now
  },
}

export const insertSession: Write<SessionRow, void> = {
  name: 'insertSession',
  run(connection, session) {
    connection.run(
      `INSERT INTO sessions (id, token_hash, previous_hash, key_id, created_at, used_at, rotated_at, confirmed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
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
}

type Rotation = {
  id: string
  rotatedAt: number
  previousHash: Uint8Array
  tokenHash: Uint8Array
  now: number
}

export const rotateSession: Write<Rotation, boolean> = {
  name: 'rotateSession',
  run: (connection, { id, rotatedAt, previousHash, tokenHash, now }) =>
    connection.run(
      `UPDATE sessions SET token_hash = ?, previous_hash = ?, rotated_at = ?, confirmed_at = NULL
       WHERE id = ? AND rotated_at = ?`,
      tokenHash,
      previousHash,
      now,
      id,
      rotatedAt,
    ) > 0,
}

export const confirmSession: Write<{ id: string; now: number }, void> = {
  name: 'confirmSession',
  run(connection, { id, now }) {
    connection.run('UPDATE sessions SET confirmed_at = ? WHERE id = ? AND confirmed_at IS NULL', now, id)
  },
}

export const noteSessionUse: Write<{ id: string; now: number }, void> = {
  name: 'noteSessionUse',
  run(connection, { id, now }) {
    connection.run('UPDATE sessions SET used_at = ? WHERE id = ?', now, id)
  },
}

export const removeSession: Write<string, void> = {
  name: 'removeSession',
  run(connection, id) {
    connection.run('DELETE FROM sessions WHERE id = ?', id)
  },
}

export const removeAllSessions: Write<undefined, number> = {
  name: 'removeAllSessions',
  run(connection) {
    connection.run('DELETE FROM sign_in_codes')
    return connection.run('DELETE FROM sessions')
  },
}

type Limits = { createdAt: number; usedAt: number; now: number }

export const removeExpiredSessions: Write<Limits, void> = {
  name: 'removeExpiredSessions',
  run(connection, { createdAt, usedAt, now }) {
    connection.run('DELETE FROM sessions WHERE created_at < ? OR used_at < ?', createdAt, usedAt)
    connection.run('DELETE FROM sign_in_codes WHERE expires_at <= ?', now)
  },
}

export function sessionStore(database: Database): SessionStore {
  return {
    insertCode: (hash, expiresAt) => database.write(insertSignInCode, { hash, expiresAt }),
    takeCode: (hash, now) => database.write(takeSignInCode, { hash, now }),
    insert: (row) => database.write(insertSession, row),
    async find(id) {
      const row = database.reader.get('SELECT * FROM sessions WHERE id = ?', id)
      return row && sessionFromRow(row)
    },
    async findByHash(hash) {
      const row = database.reader.get(
        'SELECT * FROM sessions WHERE token_hash = ? OR previous_hash = ?',
        hash,
        hash,
      )
      return row && sessionFromRow(row)
    },
    rotate: ({ id, rotatedAt }, previousHash, tokenHash, now) =>
      database.write(rotateSession, { id, rotatedAt, previousHash, tokenHash, now }),
    confirm: (id, now) => database.write(confirmSession, { id, now }),
    noteUse: (id, now) => database.write(noteSessionUse, { id, now }),
    remove: (id) => database.write(removeSession, id),
    removeAll: () => database.write(removeAllSessions, undefined),
    removeExpired: (before) => database.write(removeExpiredSessions, before),
  }
}
