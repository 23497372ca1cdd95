import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorsCode } from './authors-code.ts'

const written = (require: string, read: string, answer: string, name = 'resp') => `${require}
const url = $url;
const options = $options;

try {
\tconst response = await fetch(url, options);
\tconst ${name} = await response.${read}();
\treturn ${answer};
} catch (error) {
\tconsole.error(error);
\treturn '';
}
`
const FETCH = "const fetch = require('node-fetch');"

test('authorsCode() recognises the default code of Flowise in each of its published variants', () => {
  assert.equal(authorsCode(written(FETCH, 'json', 'JSON.stringify(resp)')), undefined)
  assert.equal(authorsCode(written('', 'json', 'JSON.stringify(resp)')), undefined)
  assert.equal(authorsCode(written(FETCH, 'text', 'text', 'text')), undefined)
  assert.equal(authorsCode(written(FETCH, 'json', 'JSON.stringify(resp)').replaceAll(/;|\t/g, '')), undefined)
  assert.equal(authorsCode('  \n'), undefined)
})

test('authorsCode() keeps code that differs from the default code of Flowise', () => {
  for (const code of [
    written(FETCH, 'json', 'JSON.stringify(resp.data)'),
    written(FETCH, 'json', 'JSON.stringify(resp)').replace('$url', "$url + '?a=1'"),
    'return $url',
  ])
    assert.equal(authorsCode(code), code)
})
