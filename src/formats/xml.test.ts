import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILE_LIMITS, type FileLimits } from './limits.ts'
import { attribute, type ElementRules, prefixedAttribute, readXmlInSteps, SKIP, SKIP_ELEMENT } from './xml.ts'

function read(xml: string | Uint8Array, rules: ElementRules, limits: Partial<FileLimits> = {}): number {
  const bytes = typeof xml === 'string' ? Buffer.from(xml) : xml
  const steps = readXmlInSteps(bytes, rules, { ...FILE_LIMITS, ...limits }, { file: 'a.docx', part: 'a.xml' })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Rules that keep the text of `t` elements. */
function gather(rules: ElementRules = {}) {
  const texts: string[] = []
  return { texts, rules: { ...rules, t: { text: (text: string) => texts.push(text) } } }
}

test('readXmlInSteps gives each element the text directly inside it, in order, whatever its prefix', () => {
  const seen: string[] = []
  const rule = (name: string) => ({
    open: () => seen.push(`<${name}`),
    text: (text: string) => seen.push(text),
    close: () => seen.push(`${name}>`),
  })
  const mistakes = read('<a:x xmlns:a="a">1<y>2</y><z>3</z><![CDATA[<4>]]></a:x>', {
    x: rule('x'),
    y: rule('y'),
  })
  assert.deepEqual(seen, ['<x', '1', '<y', '2', 'y>', '<4>', 'x>'])
  assert.equal(mistakes, 0)
})

test('readXmlInSteps skips elements by their rule or by what open returns', () => {
  const { texts, rules } = gather({
    no: SKIP_ELEMENT,
    maybe: { open: ({ keep }) => (keep ? undefined : SKIP) },
  })
  read('<r><no><t>1</t><no/></no><maybe><t>2</t></maybe><maybe keep="1"><t>3</t></maybe><t>4</t></r>', rules)
  assert.deepEqual(texts, ['3', '4'])
})

test('readXmlInSteps reads the first branch of an alternative, nested ones too', () => {
  const { texts, rules } = gather()
  const inner = '<AlternateContent><Fallback><t>2</t></Fallback></AlternateContent>'
  const second = '<Choice><t>no</t></Choice><Fallback><t>no</t></Fallback>'
  read(
    `<r><AlternateContent><Choice><t>1</t>${inner}</Choice>${second}</AlternateContent><t>3</t></r>`,
    rules,
  )
  assert.deepEqual(texts, ['1', '2', '3'])
})

test('readXmlInSteps closes elements that the part leaves open, from the inside', () => {
  const closed: string[] = []
  const rule = (name: string) => ({ close: () => closed.push(name) })
  assert.equal(read('<a><b>', { a: rule('a'), b: rule('b') }), 2)
  assert.deepEqual(closed, ['b', 'a'])
})

test('readXmlInSteps uses no rule that was not given', () => {
  assert.equal(read('<constructor><__proto__ toString="x">text</__proto__></constructor>', {}), 0)
})

test('readXmlInSteps throws over its limits', () => {
  const refused = { code: 'file_over_limit' }
  assert.throws(() => read('<a><a><a>', {}, { xmlDepth: 2 }), refused)
  assert.throws(() => read(`<a>${'x'.repeat(200_000)}</a>`, {}, { textLength: 100_000 }), refused)
  assert.throws(() => read(`<a b="${'x'.repeat(200_000)}"/>`, {}, { textLength: 100_000 }), refused)
  assert.throws(() => read('</a>'.repeat(51), {}), { code: 'file_unreadable' })
})

test('attribute finds a name with or without a prefix, prefixedAttribute only with one', () => {
  const attributes = { id: 'plain', 'r:id': 'related', 'w:val': 'x', 'w:eval': 'y' }
  assert.equal(attribute(attributes, 'id'), 'plain')
  assert.equal(prefixedAttribute(attributes, 'id'), 'related')
  assert.equal(attribute(attributes, 'val'), 'x')
  assert.equal(attribute(attributes, 'none'), undefined)
})
