import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ALL_CONVERSATIONS,
  originalSourceName,
  conversationSources,
  fencedSourceName,
  storedSourceName,
} from './conversation.ts'
import type { SourceRange, SourceScope } from '../contract/conversation.ts'

const isWithin = (name: string, { from, before }: SourceRange) => name >= from && name < before

const SOURCES = ['a.txt', '', 'ü/é.pdf', 'left\u001fright', '\u001fleft', '["x"]', '\u001f\u001f']
const CHATS = ['a', 'ab', 'a"b', 'a\u001fb', 'a\u001f', ' ', '["a"]']

test('storedSourceName() gives each source of each conversation its own name, and originalSourceName() reverses it', () => {
  const stored = new Set<string>()
  for (const source of SOURCES) {
    stored.add(storedSourceName(source, undefined))
    for (const flowId of ['f', 'g'])
      for (const chatId of CHATS) {
        const name = storedSourceName(source, { flowId, chatId })
        stored.add(name)
        assert.equal(originalSourceName(name), source)
        assert.ok(isWithin(name, ALL_CONVERSATIONS))
        assert.ok(isWithin(name, conversationSources({ flowId })))
        for (const other of CHATS)
          assert.equal(
            isWithin(name, conversationSources({ flowId, chatId: other })),
            other === chatId,
            `${chatId} ${other}`,
          )
        assert.ok(!isWithin(name, conversationSources({ flowId: 'other', chatId })))
      }
    assert.ok(!isWithin(storedSourceName(source, undefined), ALL_CONVERSATIONS), 'one that is for all')
  }
  assert.equal(stored.size, SOURCES.length * (1 + 2 * CHATS.length))
})

test('storedSourceName() does not change a source without a conversation', () => {
  for (const source of ['a.txt', 'left\u001fright', '\tx'])
    assert.equal(storedSourceName(source, undefined), source)
})

test('storedSourceName() gives each source of each fence its own name, within and without conversations', () => {
  const sources = ['a.txt', '', '\u001e', '\u001eff\u001fa.txt', '\u001f\u001eff\u001fa.txt', '\u001f']
  const scopes: (SourceScope | undefined)[] = [
    undefined,
    { fence: 'ff' },
    { fence: 'f' },
    ...['a', 'b'].flatMap((chatId) =>
      [undefined, 'ff', 'f'].map((fence) => ({ flowId: 'flow', chatId, fence })),
    ),
  ]
  const stored = new Set<string>()
  for (const scope of scopes)
    for (const source of sources) {
      const name = storedSourceName(source, scope)
      stored.add(name)
      assert.equal(originalSourceName(name).trimStart(), source.trimStart(), 'a name that begins with a mark')
      if (!scope) continue
      for (const other of scopes) {
        if (!other) continue
        const isPart: boolean =
          other.flowId === scope.flowId &&
          other.chatId === scope.chatId &&
          (other.fence === scope.fence || (other.flowId !== undefined && other.fence === undefined))
        assert.equal(isWithin(name, conversationSources(other)), isPart, JSON.stringify([name, other]))
      }
      if (scope.fence === undefined) continue
      const without: SourceScope | undefined =
        scope.flowId === undefined ? undefined : { flowId: scope.flowId, chatId: scope.chatId }
      assert.equal(fencedSourceName(storedSourceName(source, without), scope.fence), name)
    }
  assert.equal(stored.size, scopes.length * sources.length)
})
