import type { SettingStore } from '../../contract/setting-store.ts'
import type { SqlDatabase, SqlSession, SqlWrite } from '../sql/session.ts'

const readValue = async (session: SqlSession, name: string): Promise<string | undefined> =>
  (await session.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name))?.value

export const keepSetting: SqlWrite<{ name: string; value: string }, string> = {
  name: 'keepSetting',
  async run(session, { name, value }) {
    for (;;) {
      await session.run(
        'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING',
        name,
        value,
      )
      const kept = await readValue(session, name)
      // Another member may have removed it between.
      if (kept !== undefined) return kept
    }
  },
}

export const removeSetting: SqlWrite<string, void> = {
  name: 'removeSetting',
  async run(session, name) {
    const { overwriteDeleted } = session.dialect
    if (overwriteDeleted !== undefined) await session.run(overwriteDeleted)
    await session.run('DELETE FROM settings WHERE name = ?', name)
  },
}

export function settingStore({ reader, write }: SqlDatabase): SettingStore {
  return {
    get: (name) => readValue(reader, name),
    // An existing value needs no write, so it can be read on a full disk.
    keep: async (name, value) =>
      (await readValue(reader, name)) ?? (await write(keepSetting, { name, value })),
    remove: (name) => write(removeSetting, name),
  }
}
