import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { inPage } from './in-page.ts'

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const partKeys = await inPage<() => { key: string; around: number | undefined }[]>('part-keys.ts', 'partKeys')

/** The rules that depend on colours: all that can differ in the dark, where styles differ by `light-dark()` alone. */
export const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * An expression of the page: options that keep axe-core from looking for what is neither serious nor critical, which is not told, and
 * from some other rules.
 */
const allWithout = (rules: readonly string[]): string => `{ rules: Object.fromEntries(axe._audit.rules
  .filter(({ id, impact }) => !['serious', 'critical'].includes(impact) || ${JSON.stringify(rules)}.includes(id))
  .map(({ id }) => [id, { enabled: false }])) }`

type Check = {
  /** Of these rules; of all unless given. */
  rules?: readonly string[]
  /** Of all but these rules. */
  without?: readonly string[]
  /** The parts of earlier screens without a violation: where they are shown again as they were, they are passed over. */
  passed?: Set<string>
}

/** Serious and critical violations of accessibility rules, by axe-core. */
export async function violations(tab: Page, { rules, without = [], passed }: Check = {}): Promise<string[]> {
  await atRest(tab)
  const parts = passed ? await tab.evaluate(partKeys) : []
  const keys = parts.map(({ key }) => `${key} ${rules?.join() ?? ''} ${without.join()}`)
  const isPassed = (at: number | undefined) => at !== undefined && passed!.has(keys[at]!)
  const exclude = parts.flatMap(({ around }, at) =>
    isPassed(at) && !isPassed(around) ? [`[data-part="${at}"]`] : [],
  )
  const session = await tab.context().newCDPSession(tab)
  // Through the debugger, because the policy of the page refuses a script that is put into it.
  const { result: loaded } = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (loaded.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe })
  const context = exclude.length === 0 ? 'document' : JSON.stringify({ exclude })
  const chosen = rules ? JSON.stringify({ runOnly: rules }) : allWithout(without)
  // `preload` is for rules that are not among them.
  const options = `{ resultTypes: ['violations'], preload: false, ...${chosen} }`
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${context}, ${options}).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200)))))`,
    awaitPromise: true,
  })
  await session.detach()
  const found = JSON.parse(result.value as string) as string[]
  if (found.length === 0) for (const key of keys) passed?.add(key)
  return found
}

/** Waits until nothing fades in: such text has less contrast than it will have. */
const atRest = (tab: Page): Promise<void> =>
  tab.evaluate(`new Promise((resolve) => {
    const look = () => document.getAnimations().some(({ playState }) => playState === 'running')
      ? requestAnimationFrame(look) : resolve()
    look()
  })`)
