import { closeByEscape, type Step, tabTo } from './step.ts'

/** Ask: hits that are judged, why one is first, and where another document is. */
export const askSteps: Step[] = [
  {
    name: 'ask',
    path: '/flows/quickstart/ask?view=search',
    async go(hand) {
      const { tab } = hand
      await hand.write(tab.getByRole('textbox', { name: 'Question' }), 'code word for a fire')
      await hand.press(tab.getByRole('button', { name: 'Search' }))
      await tab.locator('mark').first().waitFor()
      const right = tab
        .getByRole('article', { name: 'Chunk 1' })
        .getByRole('button', { name: 'Right answer' })
      if (hand.keys) {
        await tabTo(right)
        await tab.keyboard.press('g')
      } else await right.click()
      await tab.getByText('Kept as a right answer').waitFor()
      await right.and(tab.locator('[aria-pressed=true]')).waitFor()
    },
    // It lies over what comes next.
    end: ({ tab }) => tab.getByText('Kept as a right answer').waitFor({ state: 'detached' }),
  },
  {
    name: 'why',
    async go(hand) {
      await hand.press(
        hand.tab.getByRole('article', { name: 'Chunk 1' }).getByRole('button', { name: 'Why?' }),
      )
      await hand.tab.getByRole('heading', { name: 'Against hit 2' }).waitFor()
    },
    end: (hand) =>
      closeByEscape(
        hand,
        hand.tab.getByRole('complementary', { name: 'Why this chunk is first' }),
        hand.tab.getByRole('article', { name: 'Chunk 1' }).getByRole('button', { name: 'Why?' }),
      ),
  },
  {
    name: 'below',
    async go(hand) {
      const { tab } = hand
      await hand.press(tab.getByRole('button', { name: /^Show the next \d+$/ }))
      const list = tab.getByRole('list', { name: 'Chunks below the cut' })
      await list.getByRole('listitem').first().waitFor()
      await tab.getByRole('region', { name: 'Cut off below' }).evaluate((one) => one.scrollIntoView())
    },
    end: (hand) => hand.press(hand.tab.getByRole('button', { name: 'Hide them' })),
  },
  {
    name: 'missing',
    async go(hand) {
      const { tab } = hand
      await hand.press(tab.getByRole('button', { name: 'Where is my document?' }))
      await hand.write(tab.getByRole('combobox', { name: 'Document, or id of a chunk' }), 'house-rules.md')
      await tab.keyboard.press('Enter')
      const region = tab.getByRole('region', { name: 'Where is my document?' })
      await region.getByRole('button', { name: 'Search so' }).waitFor()
      await region.evaluate((one) => one.scrollIntoView({ block: 'end' }))
    },
    async end(hand) {
      const { tab } = hand
      await tabTo(tab.getByRole('combobox', { name: 'Document, or id of a chunk' }), 'Shift+Tab')
      await closeByEscape(
        hand,
        tab.getByRole('region', { name: 'Where is my document?' }),
        tab.getByRole('button', { name: 'Where is my document?' }),
      )
    },
  },
]
