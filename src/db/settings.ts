import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import type { Write } from './write.ts'

/** Facts that the installation keeps about itself, such as its own secret. */
export type SettingStore = {
  get(name: string): Promise<string | undefined>
  /** Keeps the value unless there is one already; answers the one that holds. */
  keep(name: string, value: string): Promise<string>
  /** Takes a value away, and out of the file itself: it may have been a secret. */
  remove(name: string): Promise<void>
}

const read = (connection: Connection, name: string) =>
  connection.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value

export const keepSetting: Write<{ name: string; value: string }, string> = {
  name: 'keepSetting',
  run(connection, { name, value }) {
    connection.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, value)
    return read(connection, name)!
  },
}

export const removeSetting: Write<string, void> = {
  name: 'removeSetting',
  run(connection, name) {
    // What is deleted is overwritten with zeros.
    connection.exec('PRAGMA secure_delete = ON')
    connection.run('DELETE FROM settings WHERE name = ?', name)
  },
}

export function settingStore(database: Database): SettingStore {
  return {
    async get(name) {
      return read(database.reader, name)
    },
    async keep(name, value) {
      // What is there needs no write, and so can be had on a full disk.
      return read(database.reader, name) ?? (await database.write(keepSetting, { name, value }))
    },
    remove: (name) => database.write(removeSetting, name),
  }
}
