import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from './rich-text.ts'

const mention = (name: string) =>
  `<span class="variable" data-type="mention" data-id="${name}" data-label="${name}">{{ ${name} }}</span>`

for (const [name, html, expected] of [
  [
    'an address',
    '<p>http://localhost:5566/events/a_b*c?x=1&amp;y=[2]#z</p>',
    'http://localhost:5566/events/a_b*c?x=1&y=[2]#z',
  ],
  ['a mention', `<p>Now: ${mention('current_date_time')}.</p>`, 'Now: {{ current_date_time }}.'],
  ['paragraphs', `<p>English:</p><p>${mention('question')} </p><p></p>`, 'English:\n\n{{ question }}'],
  ['a list', '<h2>Rules</h2><ul><li><p>one</p></li><li><p>two</p></li></ul>', '## Rules\n\n- one\n- two'],
  ['lines', '<p>{<br>"a": "&lt;b&gt;"<br>}</p>', '{\n"a": "<b>"\n}'],
  ['code', '<pre><code>{\n  "a": 1\n}</code></pre>', '```\n{\n  "a": 1\n}\n```'],
  ['text without tags', 'a < b <p> c', 'a < b <p> c'],
  ['JSON', '{"a": "<p>b</p>"}', '{"a": "<p>b</p>"}'],
  ['nothing', '', ''],
] as const)
  test(`plainText() gives ${name} as it was meant`, () => assert.equal(plainText(html), expected))
