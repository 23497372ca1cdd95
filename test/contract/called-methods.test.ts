import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../support/collect.ts'
import { calledMethods } from './called-methods.ts'

type Run = { readonly size: number; stage(text: string): Promise<string>; publish(): void }
type Book = { find(name: string): string; open(): Promise<Run | undefined>; each(): AsyncIterable<number> }

const book = (): Book => ({
  find: (name) => `found ${name}`,
  open: async () => ({
    get size() {
      return 2
    },
    stage: async (text) => `staged ${text}`,
    publish() {},
  }),
  async *each() {
    yield 1
  },
})

test('calledMethods() names what was never called, of the objects that methods answer too, and changes no answer', async () => {
  const methods = calledMethods()
  const watched = methods.watch('Book', book(), { open: 'Run' })
  assert.deepEqual(methods.uncalled(), ['Book.each', 'Book.find', 'Book.open'])
  assert.equal(watched.find('it'), 'found it')
  const run = (await watched.open())!
  assert.equal(await run.stage('it'), 'staged it')
  assert.equal(run.size, 2)
  assert.deepEqual(methods.uncalled(), ['Book.each', 'Run.publish'])
  assert.deepEqual(await collect(watched.each()), [1])
  run.publish()
  assert.deepEqual(methods.uncalled(), [])
})

test('calledMethods() notices a method that is added to an implementation and called by no test', () => {
  const methods = calledMethods()
  const grown = { ...book(), forget: () => 'never tested' }
  const watched = methods.watch('Book', grown)
  watched.find('it')
  assert.ok(methods.uncalled().includes('Book.forget'))
})
