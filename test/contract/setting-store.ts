import assert from 'node:assert/strict'
import { type MakeRepositories, promisesOf } from './repositories.ts'

/** What every store of settings promises; run by each implementation. */
export function settingStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the SettingStore`, make)

  promises('keeps the first value of a name and answers it to later calls', async ({ settings }) => {
    assert.equal(await settings.get('secret'), undefined)
    assert.equal(await settings.keep('secret', 'one'), 'one')
    assert.equal(await settings.keep('secret', 'two'), 'one')
    assert.equal(await settings.get('secret'), 'one')
    assert.equal(await settings.keep('other', ''), '')
    assert.equal(await settings.get('other'), '')
  })

  promises('lets exactly one of several values win that are kept at once', async ({ settings }) => {
    const kept = await Promise.all(['a', 'b', 'c'].map((value) => settings.keep('name', value)))
    assert.equal(new Set(kept).size, 1)
    assert.equal(await settings.get('name'), kept[0])
  })

  promises('removes a value, and keeps a new one afterwards', async ({ settings }) => {
    await settings.keep('name', 'one')
    await settings.keep('other', 'two')
    await settings.remove('name')
    assert.deepEqual([await settings.get('name'), await settings.get('other')], [undefined, 'two'])
    await settings.remove('name')
    assert.equal(await settings.keep('name', 'three'), 'three')
  })
}
