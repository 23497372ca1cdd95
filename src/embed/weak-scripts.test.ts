import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInWeakScript } from './weak-scripts.ts'

test('isInWeakScript() goes by the script of most letters', () => {
  for (const question of [
    '東京の首都',
    '长城是什么时候建成的？',
    '서울은 어디에 있습니까',
    'กรุงเทพฯ',
    'API キーの設定方法',
    '1949 年',
  ])
    assert.ok(isInWeakScript(question), question)
  for (const question of [
    'Where is Tokyo (東京)?',
    'Где Москва',
    'मीनार की ऊंचाई',
    'ما هو',
    'Ai là tác giả?',
    '',
    '2026?',
  ])
    assert.ok(!isInWeakScript(question), question)
})
