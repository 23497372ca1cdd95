import type { SettingStore } from '../../contract/setting-store.ts'
import type { Database } from './database.ts'
import { readSetting } from './read-setting.ts'
import type { Write } from './write.ts'

export const keepSetting: Write<{ name: string; value: string }, string> = {
  name: 'keepSetting',
  run(connection, { name, value }) {
    connection.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, value)
    return readSetting(connection, name)!
  },
}

export const removeSetting: Write<string, void> = {
  name: 'removeSetting',
  run(connection, name) {
    // Overwrites the deleted value with zeros.
    connection.exec('PRAGMA secure_delete = ON')
    connection.run('DELETE FROM settings WHERE name = ?', name)
  },
}

export function settingStore(database: Database): SettingStore {
  return {
    async get(name) {
      return readSetting(database.reader, name)
    },
    async keep(name, value) {
      // An existing value needs no write, so it can be read on a full disk.
      return readSetting(database.reader, name) ?? (await database.write(keepSetting, { name, value }))
    },
    remove: (name) => database.write(removeSetting, name),
  }
}
