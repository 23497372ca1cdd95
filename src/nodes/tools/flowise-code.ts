/** What Flowise writes into the code field of every toolkit, by version: an author who left it there wrote no code. */
const WRITTEN_BY_FLOWISE = [
  `const fetch = require('node-fetch');
const url = $url;
const options = $options;
try {
const response = await fetch(url, options);
const resp = await response.json();
return JSON.stringify(resp);
} catch (error) {
console.error(error);
return '';
}`,
]

/** Code of the author's own. Flowise's answers nothing where a call fails, and a model would never know why. */
export function ownCode(code: string): string | undefined {
  const plain = withoutSpace(code)
  return plain === '' || WRITTEN_BY_FLOWISE.some((known) => withoutSpace(known) === plain) ? undefined : code
}

const withoutSpace = (code: string) => code.replace(/[\s;]+/g, '')
