import { type Step, tabTo } from './step.ts'
import { COMPARED } from './tour-world.ts'

/** Questions that stay, proposals, and variants side by side. */
export const questionSteps: Step[] = [
  {
    name: 'questions',
    path: '/flows/quickstart/questions',
    async go(hand) {
      const { tab } = hand
      const runs = tab.getByRole('img', { name: /^nDCG@10 of/ })
      await runs.waitFor()
      await hand.press(tab.getByRole('button', { name: 'Ask them all' }))
      await tab.getByRole('img', { name: /^nDCG@10 of 4 runs/ }).waitFor()
    },
  },
  {
    name: 'proposals',
    async go(hand) {
      const { tab } = hand
      await hand.press(tab.getByRole('button', { name: 'Propose' }))
      const proposals = tab.getByRole('region', { name: 'Proposals' })
      const accept = proposals.getByRole('button', { name: /^Accept / }).first()
      await accept.waitFor()
      await proposals.evaluate((one) => one.scrollIntoView())
      if (hand.keys) await tabTo(accept)
    },
    end: (hand) => hand.press(hand.tab.getByRole('button', { name: /^Accept / }).first()),
  },
  {
    name: 'compare',
    path: `/flows/${COMPARED}/questions`,
    async go(hand) {
      const { tab } = hand
      await hand.press(tab.getByRole('link', { name: 'Compare variants' }))
      await hand.choose(tab.getByLabel('Compare with: input'), 'Mode')
      await hand.choose(tab.getByLabel('Compare with: value'), 'hybrid')
      await hand.press(tab.getByRole('button', { name: 'Compare', exact: true }))
      const result = tab.getByRole('region', { name: 'Result' })
      await result
        .getByRole('status')
        .getByText(/is better: \+|is unlikely|Cannot tell/)
        .waitFor()
      const row = result.getByRole('row').nth(1).getByRole('button')
      await hand.press(row)
      await result.getByRole('article').first().waitFor()
    },
  },
  {
    name: 'compare-row',
    async go({ tab }) {
      await tab
        .getByRole('region', { name: 'Result' })
        .getByRole('table')
        .evaluate((one) => one.scrollIntoView())
    },
  },
]
