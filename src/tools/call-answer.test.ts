import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAnswer, withoutSecrets } from './call.ts'

const SECRET = 'a/b "c"+d=='

for (const [how, text, shown] of [
  ['as it is', `key: ${SECRET}.`, 'key: ••••.'],
  ['as JSON has it', JSON.stringify({ key: SECRET }), '{"key":"••••"}'],
  [
    'as JSON of other writers has it',
    JSON.stringify({ key: SECRET }).replaceAll('/', '\\/'),
    '{"key":"••••"}',
  ],
  ['as addresses have it', `/next?key=${encodeURIComponent(SECRET)}&page=2`, '/next?key=••••&page=2'],
] as const)
  test(`withoutSecrets() hides a secret ${how} [tools:headers]`, () =>
    assert.equal(withoutSecrets(text, [SECRET]), shown))

test('withoutSecrets() hides the whole of a secret that begins like another one', () => {
  assert.equal(withoutSecrets('abcde1ghi abcde1', ['abcde1', 'abcde1ghi']), '•••• ••••')
})

test('describeAnswer() shows no part of a secret, wherever an answer is cut', async () => {
  const bytes = new TextEncoder().encode(`you sent: ${SECRET}!`)
  const answer = {
    status: 200,
    statusText: 'OK',
    headers: new Headers(),
    bytes,
    whole: true,
    charset: 'utf-8',
  }
  for (let most = 10; most <= bytes.length; most++) {
    const { output } = await describeAnswer(answer, { maxCharacters: most, secrets: [SECRET] })
    assert.doesNotMatch(output, /a\//)
  }
})
