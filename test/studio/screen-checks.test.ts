import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { RULES_OF_COLOURS, violations } from '../support/studio/axe.ts'
import { misfits } from '../support/studio/fit.ts'
import { focusFaults } from '../support/studio/focus-walk.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the checks of screens find what is wrong', (t) => {
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const browser = await testBrowser(executable)
  const pageOf = async (body: string) => {
    const tab = await browser.newPage({ viewport: { width: 400, height: 300 } })
    await tab.setContent(`<html lang="en"><title>A page</title><body style="margin:0">${body}</body></html>`)
    return tab
  }

  test('misfits() finds a wide page, cut text, and covered or unreachable controls', async () => {
    const tab = await pageOf(`
      <div style="width:900px">wide</div>
      <div style="width:50px;overflow:hidden;white-space:nowrap">a text that is much too long</div>
      <div style="width:50px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">another that is too long</div>
      <div style="width:50px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis" title="all of it">all of it is here</div>
      <button style="position:absolute;top:200px;left:10px">Covered</button>
      <p style="position:absolute;top:190px;left:0;width:200px;height:60px;margin:0">a cover</p>
      <button style="position:fixed;top:-100px;left:10px">Lost</button>
      <div style="height:20px;overflow:auto"><p>one</p><button>Scrolled</button></div>`)
    assert.deepEqual(await misfits(tab), [
      'the page is larger than the window',
      'div "a text that is much too long": text is cut',
      'div "another that is too long": the whole text is nowhere to be read',
      'button "Covered": under p "a cover"',
      'button "Lost": outside of the window',
    ])
    await tab.close()
  })

  test('focusFaults() finds an invisible focus and a page without a stop', async () => {
    const good = await pageOf('<button>One</button><button>Two</button>')
    assert.deepEqual(await focusFaults(good), [])
    const bare = await pageOf('<button style="outline:none">One</button><button>Two</button>')
    for (const walk of ['first', 'second'])
      assert.deepEqual(
        await focusFaults(bare),
        ['button "One": does not show that it has the focus'],
        `in the ${walk} walk`,
      )
    const empty = await pageOf('<p>nothing</p>')
    assert.deepEqual(await focusFaults(empty), ['nothing can be focused'])
    for (const tab of [good, bare, empty]) await tab.close()
  })

  test('violations() of the rules of colours finds a text that cannot be read in the dark, and nothing else', async () => {
    const tab = await pageOf(`<style>:root { color-scheme: light dark }</style>
      <main><h1>Title</h1><button></button><p style="color:#222;background:light-dark(#fff, #333)">a text</p></main>`)
    const found = async () =>
      (await violations(tab, { rules: RULES_OF_COLOURS })).map((line) => line.split(' ')[0])
    assert.deepEqual(await found(), [])
    await tab.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await found(), ['color-contrast'])
    await tab.close()
  })

  test('violations() passes over the parts that had none, and finds what was added to one or is new', async () => {
    const part = (more: string) => `<section><p>a text</p>${more}</section>`
    const wrong = '<button></button>'
    const passed = new Set<string>()
    const found = async (body: string, again = passed) => {
      const tab = await pageOf(`<main><h1>Title</h1>${body}</main>`)
      const lines = await violations(tab, { passed: again })
      await tab.close()
      return lines.map((line) => line.split(' ')[0])
    }
    assert.deepEqual(await found(part('')), [])
    assert.deepEqual(await found(part(wrong)), ['button-name'])
    assert.deepEqual(await found(part(wrong)), ['button-name'], 'what was found is found again')
    assert.deepEqual(await found(part('') + part(wrong)), ['button-name'])
    // The style of the page is no part: what a style makes wrong in a part that had passed is not seen, which shows that it is passed over.
    const pale = '<style>p { color: #eee }</style>'
    assert.deepEqual(await found(pale + part('')), [])
    assert.deepEqual(await found(pale + part(''), new Set()), ['color-contrast'])
  })

  test('violations() finds a button without a name', async () => {
    const tab = await pageOf('<main><h1>Title</h1><button></button></main>')
    assert.deepEqual(
      (await violations(tab)).map((line) => line.split(' ')[0]),
      ['button-name'],
    )
    await tab.close()
  })
}
