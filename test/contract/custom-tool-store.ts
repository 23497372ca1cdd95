import assert from 'node:assert/strict'
import type { CustomToolRow } from '../../src/contract/custom-tool-store.ts'
import { type MakeRepositories, promisesOf } from './repositories.ts'

const toolRow = (id: string, changes: Partial<CustomToolRow> = {}): CustomToolRow => ({
  id,
  name: `tool_${id}`,
  description: `Description of ${id}`,
  color: 'linear-gradient(rgb(1,2,3), rgb(4,5,6))',
  iconSrc: 'https://example.com/icon.svg',
  schema: '[{"id":0,"property":"city","type":"string","description":"“Zürich”","required":true}]',
  func: "return 'Größe 42\\n' + $city",
  createdAt: 1,
  updatedAt: 1,
  ...changes,
})

/** What every store of custom tools promises; run by each implementation. */
export function customToolStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the CustomToolStore`, make)

  promises('finds a tool by its id and lists all by name, with every field', async ({ customTools }) => {
    const rows = [toolRow('1', { name: 'b' }), toolRow('2', { name: 'a', color: '', iconSrc: '', func: '' })]
    assert.deepEqual(await customTools.list(), [])
    for (const row of rows) await customTools.insert(row)
    assert.deepEqual(await customTools.find('1'), rows[0])
    assert.equal(await customTools.find('none'), undefined)
    assert.deepEqual(await customTools.list(), [rows[1], rows[0]])
  })

  promises('keeps tools of one name, the older one first', async ({ customTools }) => {
    const rows = [
      toolRow('1', { name: 'same', createdAt: 5 }),
      toolRow('2', { name: 'same', createdAt: 3 }),
      toolRow('3', { name: 'same', createdAt: 5 }),
    ]
    for (const row of rows) await customTools.insert(row)
    assert.deepEqual(
      (await customTools.list()).map(({ id }) => id),
      ['2', '1', '3'],
    )
  })

  promises('updates all but the time of creation, and only the tool of that id', async ({ customTools }) => {
    const [one, two] = [toolRow('1'), toolRow('2')]
    await customTools.insert(one)
    await customTools.insert(two)
    const changed = toolRow('1', {
      ...{ name: 'other', description: 'd', color: 'c', iconSrc: 'i', schema: '[]', func: 'return 1' },
      updatedAt: 7,
    })
    await customTools.update({ ...changed, createdAt: 9 })
    assert.deepEqual(await customTools.list(), [changed, two])
    await customTools.update(toolRow('none'))
    assert.equal((await customTools.list()).length, 2)
  })

  promises('removes a tool once', async ({ customTools }) => {
    await customTools.insert(toolRow('1'))
    assert.deepEqual([await customTools.remove('1'), await customTools.remove('1')], [true, false])
    assert.deepEqual(await customTools.list(), [])
  })
}
