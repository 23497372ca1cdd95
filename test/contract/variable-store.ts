import assert from 'node:assert/strict'
import type { VariableRow } from '../../src/contract/variable-store.ts'
import { type MakeRepositories, promisesOf } from './repositories.ts'

const variableRow = (id: string, changes: Partial<VariableRow> = {}): VariableRow => ({
  id,
  name: `name of ${id}`,
  type: 'static',
  value: 'value',
  createdAt: 1,
  updatedAt: 1,
  ...changes,
})

/** What every store of variables promises; run by each implementation. */
export function variableStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the VariableStore`, make)

  promises('finds a variable by its id and lists all by name, with every field', async ({ variables }) => {
    const rows = [
      variableRow('1', { name: 'b' }),
      variableRow('2', { name: 'a', type: 'runtime', value: '' }),
    ]
    assert.deepEqual(await variables.list(), [])
    for (const row of rows) await variables.insert(row)
    assert.deepEqual(await variables.find('1'), rows[0])
    assert.equal(await variables.find('none'), undefined)
    assert.deepEqual(await variables.list(), [rows[1], rows[0]])
  })

  promises('refuses a name that another variable has, and changes nothing then', async ({ variables }) => {
    const [one, two] = [variableRow('1'), variableRow('2')]
    await variables.insert(one)
    await variables.insert(two)
    const taken = { code: 'variable_taken', facts: { name: one.name } }
    await assert.rejects(variables.insert(variableRow('3', { name: one.name })), taken)
    await assert.rejects(variables.update({ ...two, name: one.name, value: 'new' }), taken)
    assert.deepEqual(await variables.list(), [one, two])
  })

  promises('updates all but the time of creation, under the same name too', async ({ variables }) => {
    const row = variableRow('1')
    await variables.insert(row)
    await variables.update({ ...row, value: 'new', createdAt: 9, updatedAt: 2 })
    assert.deepEqual(await variables.find('1'), { ...row, value: 'new', updatedAt: 2 })
    await variables.update({ ...row, name: 'other', type: 'runtime', value: '', updatedAt: 3 })
    assert.deepEqual(await variables.find('1'), {
      ...row,
      name: 'other',
      type: 'runtime',
      value: '',
      updatedAt: 3,
    })
  })

  promises('removes a variable once; its name is free afterwards', async ({ variables }) => {
    await variables.insert(variableRow('1'))
    assert.deepEqual([await variables.remove('1'), await variables.remove('1')], [true, false])
    await variables.insert(variableRow('2', { name: 'name of 1' }))
    assert.equal((await variables.list()).length, 1)
  })
}
