import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { until } from '../until.ts'

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** The rules that depend on colours: all that can differ in the dark, where styles differ by `light-dark()` alone. */
export const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Serious and critical violations of accessibility rules, by axe-core: of all rules, or of some. */
export async function violations(tab: Page, rules?: readonly string[]): Promise<string[]> {
  // Text that is fading in has less contrast than it will have.
  // Not waitForFunction: from its second look on, the policy of the page refuses it.
  await until(() =>
    tab.evaluate('document.getAnimations().every(({ playState }) => playState !== "running")'),
  )
  const session = await tab.context().newCDPSession(tab)
  // Through the debugger, because the policy of the page refuses a script that is put into it.
  const { result: loaded } = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (loaded.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) })}).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200)))))`,
    awaitPromise: true,
  })
  await session.detach()
  return JSON.parse(result.value as string) as string[]
}
