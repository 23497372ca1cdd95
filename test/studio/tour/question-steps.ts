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
    path: `/flows/${COMPARED}/documents`,
    async go(hand) {
      const { tab } = hand
      await hand.press(
        tab.getByRole('region', { name: 'Changed settings' }).getByRole('button', { name: 'Compare' }),
      )
      await tab.getByRole('heading', { name: 'Compare variants' }).waitFor()
      await hand.press(tab.getByRole('main').getByRole('button', { name: 'Compare', exact: true }))
      await tab
        .getByRole('region', { name: 'Result' })
        .getByRole('status')
        .getByText(/is better: \+|is unlikely|Cannot tell/)
        .waitFor()
    },
  },
  {
    name: 'compare-row',
    async go(hand) {
      const result = hand.tab.getByRole('region', { name: 'Result' })
      const cut = result.getByTitle('the other variant was cut here').first()
      const questions = result.getByRole('button', { expanded: false })
      // The first one whose hits are two pieces of one text.
      for (let at = 0; !(await cut.isVisible()); at++) {
        await hand.press(questions.nth(at))
        await result.getByRole('button', { expanded: true }).waitFor()
      }
      await result.getByRole('button', { expanded: true }).evaluate((one) => one.scrollIntoView())
    },
  },
]
