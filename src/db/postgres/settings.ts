import type { SettingStore } from '../../contract/setting-store.ts'
import type { PostgresDatabase } from './database.ts'

export function postgresSettings({ reader, writer }: PostgresDatabase): SettingStore {
  async function get(name: string): Promise<string | undefined> {
    const row = await reader.get<{ value: string }>('SELECT value FROM settings WHERE name = $1', name)
    return row?.value
  }
  return {
    get,
    async keep(name, value) {
      for (;;) {
        await writer.run(
          'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          name,
          value,
        )
        const kept = await get(name)
        // Another node may have removed it between.
        if (kept !== undefined) return kept
      }
    },
    async remove(name) {
      await writer.run('DELETE FROM settings WHERE name = $1', name)
    },
  }
}
