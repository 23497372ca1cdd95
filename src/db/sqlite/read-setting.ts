import type { Connection } from './connection.ts'

/** A setting by its name; undefined where there is none. */
export const readSetting = (connection: Connection, name: string) =>
  connection.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value
