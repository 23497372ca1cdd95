import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNames } from './names.ts'

for (const [method, path, operationId, expected] of [
  ['GET', '/users', 'listUsers', 'listUsers'],
  ['GET', '/users', 'get__x-y', 'get__x-y'],
  ['GET', '/users', 'users/list all', 'users_list_all'],
  ['GET', '/users/{id}/posts', undefined, 'get_users_by_id_posts'],
  ['GET', '/', undefined, 'get'],
  ['GET', '/users', '列表', 'get_users'],
] as const)
  test(`createNames() calls ${method} ${path} with the id ${operationId} ${expected}`, () => {
    assert.equal(createNames()(method, path, operationId), expected)
  })

test('createNames() gives long or repeated ids the same names each time, each name once', () => {
  const long = 'x'.repeat(100)
  const names = [1, 2].map(() => {
    const nameOf = createNames()
    return [
      nameOf('GET', '/a', long),
      nameOf('GET', '/b', long),
      nameOf('GET', '/c', 'same'),
      nameOf('GET', '/d', 'same'),
    ]
  })
  assert.deepEqual(names[0], names[1])
  assert.equal(new Set(names[0]).size, 4)
  for (const name of names[0]!) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
})
