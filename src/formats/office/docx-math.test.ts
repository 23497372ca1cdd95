import assert from 'node:assert/strict'
import { test } from 'node:test'
import { officeFile, readAll } from '../../../test/support/office-files.ts'
import { readDocx } from './docx.ts'

const MAIN = 'word/document.xml'

const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const option = (name: string, value: string) => `<m:${name} m:val="${value}"/>`
/** An element with properties, and arguments that are text or elements again. */
const element = (name: string, given: Record<string, string | string[]>, properties = '') =>
  `<m:${name}><m:${name}Pr>${properties}</m:${name}Pr>${Object.entries(given)
    .flatMap(([argument, values]) => [values].flat().map((value) => [argument, value] as const))
    .map(
      ([argument, value]) => `<m:${argument}>${value.startsWith('<') ? value : run(value)}</m:${argument}>`,
    )
    .join('')}</m:${name}>`
const fraction = (num: string, den: string, type = 'bar') => element('f', { num, den }, option('type', type))
const power = (e: string, sup: string) => element('sSup', { e, sup })
const index = (e: string, sub: string) => element('sSub', { e, sub })
const brackets = (e: string | string[], properties = '') => element('d', { e }, properties)

const equation = (content: string) => `<m:oMath>${content}</m:oMath>`
const documentOf = (body: string) =>
  officeFile(MAIN, { [MAIN]: `<w:document xmlns:w="w" xmlns:m="m"><w:body>${body}</w:body></w:document>` })
const textOf = async (body: string) => {
  const { parts } = await readAll(readDocx, documentOf(body))
  return parts.map(({ pageContent }) => pageContent).join()
}
const mathOf = (content: string) => textOf(`<w:p>${equation(content)}</w:p>`)

const CASES: readonly (readonly [name: string, content: string, text: string])[] = [
  [
    'fractions, roots and powers, in brackets if needed',
    `${run('x=')}${fraction(`${run('-b±')}${element('rad', { e: `${power('b', '2')}${run('-4ac')}` }, option('degHide', '1'))}`, '2a')}`,
    'x=(-b±√(b^2-4ac))/(2a)',
  ],
  ['a fraction of words without brackets', fraction('dy', 'dx'), 'dy/dx'],
  ['a fraction after a number', `${run('2')}${fraction('a', 'b')}${run('c')}`, '2 a/b c'],
  ['a fraction of fractions', fraction(fraction('a', 'b'), 'c'), '(a/b)/c'],
  [
    'roots with a degree',
    `${element('rad', { deg: '3', e: 'x' })}${run('+')}${element('rad', { deg: 'n', e: 'x' })}`,
    '∛x+root(n, x)',
  ],
  [
    'signed and long scripts',
    `${power('10', '-6')}${run('+')}${power('e', '-iωt')}${run('+')}${index('a', 'i,j')}`,
    '10^-6+e^(-iωt)+a_(i,j)',
  ],
  ['a word after a script', `${power('x', '2')}${run('y')}`, 'x^2 y'],
  [
    'index and power together, and before',
    `${element('sSubSup', { e: 'a', sub: 'i', sup: '2' })}${element('sPre', { sub: '1', sup: 'n', e: 'Y' })}`,
    'a_i^2 (_1^n)Y',
  ],
  ['default brackets', `${run('f')}${brackets('x')}`, 'f(x)'],
  [
    'other brackets and separators',
    brackets(['a', 'b'], `${option('begChr', '[')}${option('sepChr', ',')}${option('endChr', '⟩')}`),
    '[a, b⟩',
  ],
  [
    'a bracket on one side',
    `${run('f=')}${brackets(element('eqArr', { e: ['-x,&amp;x&lt;0', 'x,&amp;x≥0'] }), `${option('begChr', '{')}<m:endChr m:val=""/>`)}`,
    'f={-x,x<0; x,x≥0',
  ],
  ['a base in brackets once', power(brackets('a+b'), '2'), '(a+b)^2'],
  ['a base that needs brackets', power('a+b', '2'), '(a+b)^2'],
  ['binomials', brackets(fraction('n', 'k', 'noBar')), '(n¦k)'],
  [
    'sums with limits',
    element('nary', { sub: 'k=1', sup: 'n', e: index('A', 'k') }, option('chr', '∑')),
    '∑_(k=1)^n A_k',
  ],
  [
    'integrals without a sign in the file',
    element('nary', { sub: '0', sup: '1', e: 'x dx' }, option('supHide', '1')),
    '∫_0 x dx',
  ],
  [
    'functions',
    `${element('func', { fName: 'sin', e: 'θ' })}${run('=')}${element('func', { fName: 'cos', e: 'a+b' })}`,
    'sin θ=cos(a+b)',
  ],
  [
    'limits',
    element('func', { fName: element('limLow', { e: 'lim', lim: 'n→∞' }), e: brackets('x') }),
    'lim_(n→∞)(x)',
  ],
  [
    'accents and bars',
    `${element('acc', { e: 'x' })}${run('+')}${element('acc', { e: 'AB' }, option('chr', '\u20d7'))}${run('+')}${element('bar', { e: 'AB' }, option('pos', 'top'))}`,
    'x\u0302+vec(AB)+bar(AB)',
  ],
  [
    'arrows with a text, and braces',
    `${element('groupChr', { e: 'yields' }, option('chr', '→'))}${element('groupChr', { e: 'a+b' })}`,
    '→(yields) underbrace(a+b)',
  ],
  [
    'matrices',
    element('m', {
      mr: [
        '<m:e><m:r><m:t>1</m:t></m:r></m:e><m:e><m:r><m:t>0</m:t></m:r></m:e>',
        '<m:e><m:r><m:t>0</m:t></m:r></m:e><m:e><m:r><m:t>1</m:t></m:r></m:e>',
      ],
    }),
    '[1, 0; 0, 1]',
  ],
  ['function application as a space', run('sin\u2061θ'), 'sin θ'],
  ['boxes and misplaced elements', `${element('box', { e: 'a' })}<m:e>${run('b')}</m:e><m:f/>`, 'ab'],
]

for (const [name, content, text] of CASES) {
  test(`readDocx writes equations as one line: ${name} [formats:equations]`, async () => {
    assert.equal(await mathOf(content), text)
  })
}

test('readDocx puts a matrix into the brackets that are drawn', async () => {
  const matrix = element('m', { mr: [`<m:e>${run('1')}</m:e><m:e>${run('0')}</m:e>`] })
  assert.equal(await mathOf(brackets(matrix, `${option('begChr', '|')}${option('endChr', '|')}`)), '|1, 0|')
})

test('readDocx separates consecutive equations, but not those in a sentence [formats:equations]', async () => {
  const text = (value: string) => `<w:r><w:t xml:space="preserve">${value}</w:t></w:r>`
  const [first, second] = [equation(run('a=b')), equation(run('c=d'))]
  assert.equal(await textOf(`<w:p>${first}${second}</w:p>`), 'a=b\nc=d')
  assert.equal(
    await textOf(`<w:p>${text('so ')}${first}${text(' and ')}${second}${text('.')}</w:p>`),
    'so a=b and c=d.',
  )
})

test('readDocx reads an equation outside of paragraphs', async () => {
  assert.equal(await textOf(`${equation(run('a=b'))}<w:p><w:r><w:t>text</w:t></w:r></w:p>`), 'a=b\n\ntext')
})

test('readDocx keeps the names of equations apart from those of other elements', async () => {
  assert.equal(
    await textOf('<w:p><w:r><w:t>a</w:t></w:r><v:f xmlns:v="v"><v:e><w:t>b</w:t></v:e></v:f></w:p>'),
    'ab',
  )
})
