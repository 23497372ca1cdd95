import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import type { ParseOptions } from '../../contract/file-parser.ts'
import { collect } from '../../../test/support/collect.ts'
import { readHtml } from './html.ts'
import { FILE_LIMITS } from '../limits.ts'

const read = (content: string | Uint8Array) =>
  collect(readHtml({ bytes: Buffer.from(content as string), name: 'x.html' }, {}, FILE_LIMITS))
const textOf = async (content: string) => {
  const [part] = await read(content)
  return part && 'pageContent' in part ? part.pageContent : undefined
}

test('readHtml() keeps headings and paragraphs, and the title beside them', async () => {
  const page = `<!doctype html><html><head><title> The\n page </title><style>p {}</style></head><body>
    <h1>One <em>great</em> thing</h1><p>First   line<br>second line.</p><div>Bare <a href="/x">link</a> text</div>
    <script>alert('<p>no</p>')</script><img alt="A picture"></body></html>`
  assert.deepEqual(await read(page), [
    {
      pageContent: '# One great thing\n\nFirst line\nsecond line.\n\nBare link text\n\nA picture',
      metadata: { title: 'The page' },
      last: true,
    },
  ])
})

test('readHtml() leaves out the signs with which Sphinx, MkDocs and others link to a heading [formats:permalinks]', async () => {
  const page = `<h1>Install<a class="headerlink" href="#install" title="Link to this heading">¶</a></h1>
    <h2 id="use">Use <a class="header-anchor" href="#use" aria-hidden="true"> # </a></h2>
    <h2><a class="anchor" href="guide.html#why"><span>🔗</span></a>Why</h2>
    <h3>Icons<a class="headerlink" href="#icons">\uf0c1</a></h3>
    <h3>Docs<a class="hash-link" href="#docs" aria-label="Direct link">\u200b</a></h3>
    <dl><dt><code>f(x)</code><a class="headerlink" href="#f">¶</a></dt><dd>Gives x.</dd></dl>`
  assert.equal(
    await textOf(page),
    '# Install\n\n## Use\n\n## Why\n\n### Icons\n\n### Docs\n\nf(x)\n\nGives x.',
  )
})

test('readHtml() keeps other links to a place in a page, and those signs elsewhere', async () => {
  const page = `<h2><a href="#csharp">C#</a> and <a href="#f">#<b>1</b></a> <a href="#p">§ 3</a></h2>
    <h2><a href="#all"><span>#</span> All of it</a></h2>
    <p>A pilcrow is ¶, see <a href="signs.html">¶</a>, <a href="#x">#<img alt="a plan"></a>.</p>`
  assert.equal(await textOf(page), '## C# and #1 § 3\n\n## # All of it\n\nA pilcrow is ¶, see ¶, #a plan.')
})

test('readHtml() keeps lists, nested and numbered', async () => {
  const list = '<ul><li>one<li>two<ol start=3><li>three</li><li>four<p>more</p></ol></ul><p>after</p>'
  assert.equal(await textOf(list), '- one\n- two\n  3. three\n  4. four\n    more\n\nafter')
})

test('readHtml() keeps tables as rows of markdown', async () => {
  const table = `<table><caption>Prices</caption><thead><tr><th>Item</th><th>Price</th></tr></thead>
    <tr><td>Tea | green</td><td><p>3</p><p>4</p></td></tr><tr><td>Milk<td>2</table>`
  assert.equal(
    await textOf(table),
    'Prices\n\n| Item | Price |\n| --- | --- |\n| Tea \\| green | 3 4 |\n| Milk | 2 |',
  )
})

test('readHtml() reads a layout table as the blocks in it', async () => {
  const page = `<table><tr><td>Menu</td><td><h1>News</h1><p>One</p><p>Two</p></td></tr></table>
    <table><tr><td>alone</td></tr></table>`
  assert.equal(await textOf(page), 'Menu\n\n# News\n\nOne\n\nTwo\n\nalone')
})

test('readHtml() keeps preformatted text and quotes', async () => {
  assert.equal(
    await textOf('<pre>a\n  <b>b</b>\n</pre><blockquote><p>x</p><p>y</p></blockquote>'),
    '```\na\n  b\n\n```\n\n> x\n\n> y',
  )
})

test('readHtml() decodes entities, and uses the encoding that the page declares', async () => {
  assert.equal(await textOf('<p>caf&eacute; &amp; &lt;b&gt; &#x1F388;'), 'café & <b> 🎈')
  const russian = iconv.encode('<meta charset="koi8-r"><p>да', 'koi8-r')
  assert.deepEqual(await read(russian), [{ pageContent: 'да', metadata: {}, last: true }])
})

test('readHtml() gives nothing for a page without words', async () => {
  assert.deepEqual(await read(''), [])
  assert.deepEqual(await read('<script>var words</script><p> </p>'), [])
})

test('readHtml() reads malformed HTML, and refuses too deep nesting', async () => {
  assert.equal(await textOf('</p></table><b><td>x</b></li><p>y<'), 'x\n\ny<')
  assert.equal(await textOf(`${'<div>'.repeat(900)}deep`), 'deep')
  await assert.rejects(read('<div>'.repeat(2000)), { code: 'file_over_limit' })
})

test('readHtml() reads a million words of one line as fast as many lines', async () => {
  const text = await textOf('<b>word</b> '.repeat(300_000))
  assert.equal(text!.length, 300_000 * 5 - 1)
})

test('readHtml() does not multiply a text by the depth of the quotes around it', async () => {
  const text = await textOf(`${'<blockquote>'.repeat(900)}${'<p>x</p>'.repeat(1000)}`)
  assert.ok(text!.length < 50_000)
})

const pageOf = async (content: string, options: ParseOptions) =>
  (await collect(readHtml({ bytes: Buffer.from(content), name: 'x.html' }, options, FILE_LIMITS)))[0]

test('readHtml() takes only the elements that match a selector, each once, and the title', async () => {
  const page = `<title>T</title><nav><p>menu</p></nav><main><p>one</p><div class=x><p>two</p></div></main><p>end</p>`
  assert.deepEqual(await pageOf(page, { selector: 'main, .x, main p' }), {
    pageContent: 'one\n\ntwo',
    metadata: { title: 'T' },
    last: true,
  })
  assert.equal(await pageOf(page, { selector: 'article' }), undefined)
})

test('readHtml() with a selector still bounds the depth of a page', async () => {
  await assert.rejects(pageOf('<div>'.repeat(2000), { selector: 'div' }), { code: 'file_over_limit' })
})

test('readHtml() gives the links of a page: absolute, without fragments, each once, relative to its base', async () => {
  const page = `<base href="/docs/"><a href="a#top">A</a><a href="a">again</a><a href="//other.test/b?c=1">B</a>
    <a href="mailto:x@y.test">M</a><a href="javascript:x">J</a><a href="c" rel="noopener NoFollow">C</a><a>none</a>`
  const part = await pageOf(page, { linksFrom: 'https://site.test/start' })
  assert.partialDeepStrictEqual(part, {
    metadata: { links: ['https://site.test/docs/a', 'https://other.test/b?c=1'] },
  })
})

test('readHtml() gives the links of a page without text', async () => {
  const part = await pageOf('<a href=/x></a>', { linksFrom: 'http://site.test/' })
  assert.deepEqual(part, { pageContent: '', metadata: { links: ['http://site.test/x'] }, last: true })
})

test('readHtml() prefers the encoding of the HTTP header to the one inside the page', async () => {
  const bytes = iconv.encode('<meta charset=windows-1252><p>Привет, выдра', 'windows-1251')
  const [part] = await collect(readHtml({ bytes, name: 'x.html' }, { encoding: 'windows-1251' }, FILE_LIMITS))
  assert.partialDeepStrictEqual(part, { pageContent: 'Привет, выдра' })
})

test('readHtml() separates rows and cells outside of a table', async () => {
  assert.equal(await textOf('<p>a</p><tr><td>X</td></tr><p>b</p>'), 'a\n\nX\n\nb')
  const rows = '<div><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3</td></tr></div>'
  assert.equal(await textOf(rows), 'Item Price\nTea 3')
})

test('readHtml() builds a table as the HTML standard does if its tags are out of order', async () => {
  const page = '<center><table></center><tr><td>Revenue<td>10<tr><td>Cost</td><td>20</table><p>end'
  assert.equal(await textOf(page), '| Revenue | 10 |\n| --- | --- |\n| Cost | 20 |\n\nend')
  const form = '<table><form><tr><td>1</td><td>2</td></tr></form>loose<tr><td>3</td><td>4</td></tr></table>'
  assert.equal(await textOf(form), 'loose\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |')
})

test('readHtml() leaves out hidden elements, and notes how many, not which', async () => {
  const page = `<body style="display:none"><p>one</p><div style="color:red; DISPLAY : none !important"><p>x</p><p hidden>y</p></div>
    <p hidden>z</p><div style="display:none"><script>no()</script></div><p hidden="until-found">two</p>
    <p style="display:none-such">three</p><details><summary>four</summary>five</details>`
  assert.deepEqual(await read(page), [
    { note: '2 hidden elements were left out' },
    { dropped: { kind: 'hiddenElement', count: 2 } },
    { pageContent: 'one\n\ntwo\n\nthree\n\nfour\n\nfive', metadata: {}, last: true },
  ])
})

test('readHtml() reads inline XBRL without its hidden facts, and closes self-closing tags', async () => {
  const filing = `<?xml version="1.0" encoding="utf-8"?><html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><head><title/></head>
    <body><div style="display:none"><ix:header><ix:hidden><ix:nonNumeric name="dei:Key">0000320193</ix:nonNumeric></ix:hidden>
    </ix:header></div><div style="display:none"/><p>Revenue <ix:nonFraction name="us-gaap:Revenues">1,234</ix:nonFraction><ix:nonFraction/>.</p></body></html>`
  assert.deepEqual(await read(filing), [
    { note: '1 hidden element was left out' },
    { dropped: { kind: 'hiddenElement', count: 1 } },
    { pageContent: 'Revenue 1,234.', metadata: {}, last: true },
  ])
  assert.equal(await textOf('<p>one</p><ix:hidden/><o:p/><p>two</p>'), 'one\n\ntwo')
})

test('readHtml() takes elements that match a selector even if they are hidden, and finds rows through their tbody', async () => {
  const page = `<table id=t><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>
    <div hidden id=tab>yes<p style="display:none">no</p></div>`
  const rows = await collect(
    readHtml({ bytes: Buffer.from(page), name: 'x.html' }, { selector: '#t > tbody > tr' }, FILE_LIMITS),
  )
  assert.partialDeepStrictEqual(rows, [{ pageContent: '| 1 | 2 |\n| --- | --- |\n| 3 | 4 |' }])
  const tab = await collect(
    readHtml({ bytes: Buffer.from(page), name: 'x.html' }, { selector: '#tab' }, FILE_LIMITS),
  )
  assert.partialDeepStrictEqual(tab, [{ note: '1 hidden element was left out' }, { pageContent: 'yes' }])
})

test('readHtml() bounds the elements of a page, and those that unclosed tags open again and again', async () => {
  const limits = { ...FILE_LIMITS, htmlElements: 10_000 }
  const pages = [
    '<b>x</b>'.repeat(10_001),
    ['<p>', ...Array.from({ length: 500 }, (_, n) => `<font size=${n}>`), '<p>x'.repeat(100)].join(''),
  ]
  for (const page of pages)
    await assert.rejects(collect(readHtml({ bytes: Buffer.from(page), name: 'x.html' }, {}, limits)), {
      code: 'file_over_limit',
    })
})

test('readHtml() does not overflow the stack if elements are moved into one another', async () => {
  const text = await textOf(`${'<table><tr>'.repeat(300)}${'<a><div><b>'.repeat(100)}deep`)
  assert.match(text!, /deep/)
})

test('readHtml() keeps cells below the names of their columns where others take several columns or rows', async () => {
  const berths = `<table><tr><th colspan=2>Berth</th><th>Depth</th></tr><tr><td rowspan=2>North</td><td>N1</td><td>3.2 m</td></tr>
    <tr><td>N2</td><td>2.8 m</td></tr><tr><td>South<td>S1<td>4 m</tr><tr><td colspan="3">Measured at low tide</td></tr></table>`
  assert.equal(
    await textOf(berths),
    [
      '| Berth |  | Depth |',
      '| --- | --- | --- |',
      '| North | N1 | 3.2 m |',
      '|  | N2 | 2.8 m |',
      '| South | S1 | 4 m |',
      '| Measured at low tide |',
    ].join('\n'),
  )
  const last = '<table><tr><td>a<td rowspan=0>b</tr><tr><td>c<td rowspan=-2 colspan=x>d</tr></table>'
  assert.equal(await textOf(last), '| a | b |\n| --- | --- |\n| c | d |')
})

test('readHtml() bounds what cells take that a hostile page makes large', async () => {
  const row = (cells: string) => `<tr>${cells}</tr>`
  const cell = '<td rowspan=65534 colspan=1000>x'
  const page = `<table>${row(cell.repeat(2000))}${row('<td>y').repeat(5000)}</table>`
  const text = (await textOf(page))!
  assert.ok(text.length < 10 * page.length, `${text.length} of ${page.length}`)
  assert.equal(text.match(/y/g)?.length, 5000)
})
