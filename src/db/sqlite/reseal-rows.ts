import type { Reseal, Resealed } from '../reseal.ts'
import { SECRET_CHECK } from '../secret-check.ts'
import type { Connection } from './connection.ts'

/** Seals all sealed texts anew, in one transaction. @param check the new text that shows which secret is the right one */
export function resealRows(connection: Connection, reseal: Reseal, check: string): Resealed {
  return connection.transaction(() => {
    const resealed: Resealed = { credentials: 0, jobs: 0, unreadable: [] }
    for (const { id, name, sealed } of connection.all<{ id: string; name: string; sealed: string }>(
      'SELECT id, name, sealed FROM credentials ORDER BY name',
    )) {
      const renewed = reseal(sealed)
      if (renewed === undefined) resealed.unreadable.push(name)
      else
        resealed.credentials += connection.run('UPDATE credentials SET sealed = ? WHERE id = ?', renewed, id)
    }
    for (const { seq } of connection.all<{ seq: number }>('SELECT seq FROM jobs WHERE request IS NOT NULL')) {
      const row = connection.get<{ request: string }>('SELECT request FROM jobs WHERE seq = ?', seq)
      const renewed = reseal(row!.request)
      if (renewed !== undefined)
        resealed.jobs += connection.run('UPDATE jobs SET request = ? WHERE seq = ?', renewed, seq)
    }
    for (const { engine, place, sealed } of connection.all<{ engine: string; place: string; sealed: string }>(
      'SELECT engine, place, sealed FROM engine_places',
    )) {
      const renewed = reseal(sealed)
      if (renewed !== undefined)
        connection.run(
          'UPDATE engine_places SET sealed = ? WHERE engine = ? AND place = ?',
          renewed,
          engine,
          place,
        )
    }
    connection.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      SECRET_CHECK,
      check,
    )
    return resealed
  })
}
